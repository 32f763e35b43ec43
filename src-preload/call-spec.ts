import { z } from 'zod';

/** One call of the bridge: the schema that main checks the input with, and the type of the answer. */
export interface CallSpec<I extends z.ZodType, O> {
  input: I;
  /** Only for its type. Never read at run time. */
  output?: O;
}

/** `call<Job>()(schema)`: a call that takes an input of `schema` and returns a `Result<Job>`. */
export function call<O>() {
  return <I extends z.ZodType>(input: I): CallSpec<I, O> => ({ input });
}

/** The input of a call that takes none. */
export const nothing = z.undefined();
/** The input of a call about one connection. */
export const ofConnection = z.object({ connectionId: z.string().min(1).max(64) });
/** The input of a call about an endpoint of a connection. */
export const ofEndpoint = ofConnection.extend({ endpointId: z.string().min(1).max(200) });
