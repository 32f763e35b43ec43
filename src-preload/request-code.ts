import type { z } from 'zod';
import type { codeLanguage } from './request-code-schema.ts';

/** What a submission is written in, to be sent again from elsewhere. */
export type CodeLanguage = z.infer<typeof codeLanguage>;
