/** What kinds of values a key had in earlier inputs. */
export type LearnedType = 'string' | 'number' | 'boolean' | 'null' | 'list' | 'object';

/** A value that earlier inputs had under a key. */
interface LearnedValue {
  json: string;
  /** Inputs that had it. */
  count: number;
}

/** A key of earlier inputs. */
export interface LearnedKey {
  /** The keys that lead to it, the key itself last. */
  path: string[];
  /** The most frequent first. */
  types: LearnedType[];
  /** Inputs that had it. */
  count: number;
  /** The most frequent ones, the most frequent first. Long texts are left out. */
  values: LearnedValue[];
  /** The bounds of its numbers; null without any. */
  range: { least: number; greatest: number } | null;
}

/** What earlier inputs of an endpoint tell of the next one. */
export interface LearnedInputs {
  /** Completed jobs it was learned from. */
  jobs: number;
  /** The most frequent first. */
  keys: LearnedKey[];
  /** Of those jobs, the one whose input has the fewest keys; null without any. */
  smallest: StartingPoint | null;
  /** Of those jobs, the one that finished last; null without any. */
  last: StartingPoint | null;
}

/** A completed job whose input is worth starting from. */
export interface StartingPoint {
  jobKey: string;
  /** Keys of its input, those within others left out. */
  keys: number;
  /** When it was seen to be finished, in epoch milliseconds; null where that is not known. */
  finishedAtMs: number | null;
}
