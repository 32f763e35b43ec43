import { z } from 'zod';
import { podIncludes } from './pod.ts';
import { podIdProblem } from './pod-reading.ts';

/** What main checks pod calls with. The types are in pod.ts and pod-reading.ts. */
export const podId = z
  .string()
  .trim()
  .check((context) => {
    const problem = podIdProblem(context.value);
    if (problem !== null) context.issues.push({ code: 'custom', message: problem, input: context.value });
  });

/** The flags that are on, each at most once. */
export const podInclude = z
  .array(z.enum(podIncludes))
  .max(podIncludes.length)
  .refine((flags) => new Set(flags).size === flags.length, 'A flag can appear only once');

/** The name of a variable. Services allow nearly any text. */
export const variableName = z.string().min(1).max(32_000);

export const portNumber = z.number().int().min(1).max(65_535);
