import type { z } from 'zod';

/** One call of the bridge: the schema main checks the input with, and the type of what it answers. */
export interface CallSpec<I extends z.ZodType, O> {
  input: I;
  /** Type only; never read at run time. */
  output?: O;
}

/** `call<Job>()(schema)`: answers a `Result<Job>` to an input that satisfies `schema`. */
export function call<O>() {
  return <I extends z.ZodType>(input: I): CallSpec<I, O> => ({ input });
}
