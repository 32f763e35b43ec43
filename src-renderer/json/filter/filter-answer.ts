/** The result of a filter: the values found, by their numbers in the index of the text, or why it cannot run. */
export type FilterAnswer =
  | {
      kind: 'found';
      nodes: Int32Array;
      /** There are more than `maxFound`. */
      isCut: boolean;
    }
  | { kind: 'problem'; message: string };

/** Further values are not shown. */
export const maxFound = 100_000;

/** A message to the thread: the text, once, and then filters for it. */
export type FilterRequest = { kind: 'text'; text: string } | { kind: 'filter'; path: string };

/** The thread's answer to a filter. */
export interface FilterReply {
  answer: FilterAnswer;
  tookMs: number;
}
