import type { CodeLanguage, JobRequestLanguage } from '../../src-preload/request-code.ts';

/** The name of each language of code. */
export const languageNames: Readonly<Record<CodeLanguage | JobRequestLanguage, string>> = {
  curl: 'cURL',
  powershell: 'PowerShell',
  fetch: 'fetch',
  python: 'Python',
  'sdk-js': 'runpod-sdk',
  'sdk-python': 'Python',
};
