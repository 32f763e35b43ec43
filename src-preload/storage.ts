import type { RetentionRule } from './settings.ts';

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
  /** What they take in the file, compressed as they are there. */
  freedBytes: number;
  /** What the history uses before. */
  usedBytes: number;
}

/** What compacting the file brought. */
export interface Compacted {
  beforeBytes: number;
  afterBytes: number;
}

/** Whether a rule deletes anything ever. */
export function deletesSomething({ afterDays, mostBytes }: RetentionRule): boolean {
  return afterDays !== null || mostBytes !== null;
}

/** Whether a rule deletes nothing that the other one would keep. Pure. */
export function deletesNoMore(rule: RetentionRule, than: RetentionRule): boolean {
  return (
    !deletesSomething(rule) ||
    ((rule.afterDays ?? Infinity) >= (than.afterDays ?? Infinity) &&
      (rule.mostBytes ?? Infinity) >= (than.mostBytes ?? Infinity) &&
      (!rule.areInputsDeleted || than.areInputsDeleted))
  );
}
