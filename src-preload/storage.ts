/** What the history takes on the disk, in bytes. */
export interface StorageUse {
  /** The whole file. */
  totalBytes: number;
  /** Inputs, outputs and replies, as they lie there compressed. */
  bodyBytes: number;
  streamBytes: number;
  /** The index that words are found by. */
  indexBytes: number;
  /** Room in the file that nothing uses. */
  freeBytes: number;
  /** Free room goes back to the disk by itself; in a file of a former version only by compacting it once. */
  isGivenBack: boolean;
}

/** What a retention rule would delete now. */
export interface Forgettable {
  jobs: number;
  /** Of their outputs as text, before compression. */
  outputBytes: number;
}

/** What compacting the file brought. */
export interface Compacted {
  beforeBytes: number;
  afterBytes: number;
}

/** The rule in days, at most: ten years. */
export const mostForgetDays = 3_650;
