import { z } from 'zod';

/** What main checks the language of code against; the words are in request-code.ts. */
export const codeLanguage = z.enum(['curl', 'powershell', 'fetch', 'sdk-js', 'sdk-python']);
