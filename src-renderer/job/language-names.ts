import type { CodeLanguage, JobRequestLanguage } from '../../src-preload/request-code.ts';

/** What each language of code is called where it is chosen. */
export const languageNames: Readonly<Record<CodeLanguage | JobRequestLanguage, string>> = {
  curl: 'cURL',
  powershell: 'PowerShell',
  fetch: 'fetch',
  python: 'Python',
  'sdk-js': 'runpod-sdk',
  'sdk-python': 'Python',
};
