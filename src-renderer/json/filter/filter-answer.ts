/** What a filter finds: values by their numbers in the index of the text, or why it cannot be run. */
export type FilterAnswer =
  | {
      kind: 'found';
      nodes: Int32Array;
      /** There are more than `mostFound`. */
      isCut: boolean;
    }
  | { kind: 'problem'; message: string };

/** More values than this are not shown. */
export const mostFound = 100_000;

/** What the thread is told: the text, once; then filters for it. */
export type FilterRequest = { kind: 'text'; text: string } | { kind: 'filter'; path: string };

/** What the thread answers to a filter. */
export interface FilterReply {
  answer: FilterAnswer;
  tookMs: number;
}
