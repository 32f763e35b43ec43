import type { CodeLanguage } from '../../src-preload/request-code.ts';

/** What each language of code is called where it is chosen. */
export const languageNames: Readonly<Record<CodeLanguage, string>> = {
  curl: 'cURL',
  powershell: 'PowerShell',
  fetch: 'fetch',
  'sdk-js': 'runpod-sdk',
  'sdk-python': 'Python',
};
