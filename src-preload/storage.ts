/** The disk space of the history, in bytes. */
export interface StorageUse {
  /** The whole file. */
  totalBytes: number;
  /** Inputs, outputs and replies, in their compressed size. */
  bodyBytes: number;
  streamBytes: number;
  /** The search index. */
  indexBytes: number;
  /** Space in the file that is not used. */
  freeBytes: number;
  /** Free space is returned to the disk automatically. A file of a former version must be compacted once. */
  isGivenBack: boolean;
}

/** What a retention rule would delete now. */
export interface Forgettable {
  jobs: number;
  /** The size of their outputs as text, before compression. */
  outputBytes: number;
}

/** The result of compacting the file. */
export interface Compacted {
  beforeBytes: number;
  afterBytes: number;
}

/** The most days of the rule: ten years. */
export const mostForgetDays = 3_650;
