import type { RetentionRule } from './settings.ts';

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
  /** What they take in the file, compressed as they are there. */
  freedBytes: number;
  /** What the history uses before. */
  usedBytes: number;
}

/** The result of compacting the file. */
export interface Compacted {
  beforeBytes: number;
  afterBytes: number;
}

/** Whether a rule deletes anything ever. */
export function deletesSomething({ afterDays, maxBytes }: RetentionRule): boolean {
  return afterDays !== null || maxBytes !== null;
}

/** Whether a rule deletes nothing that the other one would keep. Pure. */
export function deletesNoMore(rule: RetentionRule, than: RetentionRule): boolean {
  return (
    !deletesSomething(rule) ||
    ((rule.afterDays ?? Infinity) >= (than.afterDays ?? Infinity) &&
      (rule.maxBytes ?? Infinity) >= (than.maxBytes ?? Infinity) &&
      (!rule.areInputsDeleted || than.areInputsDeleted))
  );
}

/**
 * Why the clock of this computer is not believed, so that the retention rule deletes nothing. `byMs`: by how much.
 * `nowMs`: what the clock says.
 */
export interface ClockDoubt {
  /** It moved ahead by more than an ordinary absence; a service's date is further back; or it was put back. */
  kind: 'moved-ahead' | 'ahead-of-service' | 'behind';
  byMs: number;
  nowMs: number;
}
