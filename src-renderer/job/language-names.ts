import type { CodeLanguage } from '../../src-preload/request-code.ts';

/** The name of each language of code. */
export const languageNames: Readonly<Record<CodeLanguage, string>> = {
  curl: 'cURL',
  powershell: 'PowerShell',
  fetch: 'fetch',
  'sdk-js': 'runpod-sdk',
  'sdk-python': 'Python',
};
