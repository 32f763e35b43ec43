import type { Job } from '../../../src-preload/job.ts';
import type { Compacted } from '../../../src-preload/storage.ts';
import type { MergeConnection } from '../backup/merge-rule.ts';
import { type MergedPage, countIncoming, endMerge, mergeOne, mergePage } from '../backup/merge.ts';
import { emptyLog } from '../file/free-space.ts';
import { readDocument, readDocuments, removeDocument, writeDocument } from '../file/documents.ts';
import {
  type CountedSoFar,
  type EndedPlace,
  type ForgetOrder,
  type ForgetStep,
  countForgettable,
  forgetBodies,
} from '../storage/forget.ts';
import { type MeasuredSoFar, compact, reclaimSpace, measureStorage } from '../storage/usage.ts';
import type { CallContext } from './call-context.ts';

/** The file as a whole: its documents, its size, what the retention rule deletes, and the merge of another one. */
export const fileOperations = {
  /** Small documents by kind and id: connections, s3 profiles, settings, drafts. collection.ts adds their types. */
  documents: ({ db }: CallContext, kind: string): { id: string; json: string }[] => readDocuments(db, kind),
  readDocument: ({ db }: CallContext, kind: string, id: string): string | null => readDocument(db, kind, id),
  putDocument: ({ db }: CallContext, kind: string, id: string, json: string): void => writeDocument(db, kind, id, json),
  removeDocument: ({ db }: CallContext, kind: string, id: string): void => removeDocument(db, kind, id),

  /** Deletes bodies of some jobs that ended, as the user's retention rule orders; see storage/forget.ts. */
  forgetBodies: ({ db, nowMs }: CallContext, order: ForgetOrder, after: EndedPlace | null): ForgetStep =>
    forgetBodies(db, order, after, nowMs),
  /** Continues to count what that order would delete, after the jobs that the previous call counted. */
  countForgettable: ({ db }: CallContext, order: ForgetOrder, from: CountedSoFar | null): CountedSoFar =>
    countForgettable(db, order, from),
  /** Continues to measure the content of the file, after the step before. */
  measureStorage: ({ db }: CallContext, from: MeasuredSoFar | null): MeasuredSoFar & { isDone: boolean } =>
    measureStorage(db, from),
  /** Returns some of the free space of the history, and then of the bin, to the disk. Returns whether there is more. */
  reclaimSpace: ({ db, bin, nowMs }: CallContext): boolean => reclaimSpace(db) || bin.reclaimSpace(nowMs),
  /** Empties SQLite's logs of the history and of the bin. Returns false if one of them is in use now. */
  emptyLogs: ({ db, bin }: CallContext): boolean => emptyLog(db) && bin.emptyLog(),
  compact: ({ db }: CallContext): Compacted => compact(db),

  /** Merges the next jobs of another history, after `afterKey`. See backup/merge.ts. */
  mergePage: ({ db }: CallContext, path: string, afterKey: string | null, connections: MergeConnection[]): MergedPage =>
    mergePage(db, path, afterKey, connections),
  /** Merges one job of another history. Null if it had nothing new. */
  mergeJob({ db }: CallContext, path: string, theirKey: string, connections: MergeConnection[]): Job | null {
    const { kind, job } = mergeOne(db, path, theirKey, connections);
    return kind === 'known' ? null : job;
  },
  countIncoming: ({ db }: CallContext, path: string): number => countIncoming(db, path),
  endMerge: ({ db }: CallContext): void => endMerge(db),
};
