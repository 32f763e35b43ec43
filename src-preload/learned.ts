/** The kinds of values that a key had in earlier inputs. */
export type LearnedType = 'string' | 'number' | 'boolean' | 'null' | 'list' | 'object';

/** A value that a key had in earlier inputs. */
interface LearnedValue {
  json: string;
  /** How many inputs had it. */
  count: number;
}

/** A key of earlier inputs. */
export interface LearnedKey {
  /** The path of keys to it, itself last. */
  path: string[];
  /** The most frequent first. */
  types: LearnedType[];
  /** How many inputs had it. */
  count: number;
  /** The most frequent values, in this order. Long texts are left out. */
  values: LearnedValue[];
  /** The range of its numbers. Null if there are none. */
  range: { min: number; max: number } | null;
}

/** What the earlier inputs of an endpoint suggest for the next one. */
export interface LearnedInputs {
  /** How many completed jobs it was learned from. */
  jobs: number;
  /** The most frequent first. */
  keys: LearnedKey[];
  /** The job among them whose input has the fewest keys, or null. */
  smallest: StartingPoint | null;
  /** The job among them that finished last, or null. */
  last: StartingPoint | null;
}

/** A completed job whose input is a good start. */
export interface StartingPoint {
  jobKey: string;
  /** How many keys its input has, without nested ones. */
  keys: number;
  /** When it was seen to be finished, in epoch milliseconds. Null if that is not known. */
  finishedAtMs: number | null;
}
