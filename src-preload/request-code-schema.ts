import { z } from 'zod';

/** What main checks the language of code against. The types are in request-code.ts. */
export const codeLanguage = z.enum(['curl', 'powershell', 'fetch', 'sdk-js', 'sdk-python']);

/** What main checks a request about an accepted job against. */
export const jobRequest = z.enum(['status', 'stream', 'cancel', 'retry']);

/** The languages of such a request. */
export const jobRequestLanguage = z.enum(['curl', 'powershell', 'fetch', 'python', 'sdk-js']);
