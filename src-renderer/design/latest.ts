/** If several requests were made, only the answer to the last one is wanted. */
export interface Latest {
  /** The answer. Null if another request was made meanwhile, or `cancel` was called. */
  of<T>(answer: Promise<T>): Promise<T | null>;
  /** No answer that is still to come is wanted. */
  cancel(): void;
}

/** Nothing was requested yet. */
export function createLatest(): Latest {
  let requests = 0;
  return {
    async of(answer) {
      requests += 1;
      const own = requests;
      const answered = await answer;
      return own === requests ? answered : null;
    },
    cancel: () => void (requests += 1),
  };
}
