import type { BodyText } from '../../../src-preload/history.ts';
import type { Job, RequestRecord } from '../../../src-preload/job.ts';
import type { JudgementChange } from '../../../src-preload/judgement.ts';
import { alikeOf } from '../failures/failures.ts';
import { type AdoptingJob, adoptSubmission } from '../jobs/adopt-submission.ts';
import { type BodyPart, readBody, writeBody } from '../jobs/bodies.ts';
import { readAttempts } from '../jobs/attempts.ts';
import { readRequests } from '../jobs/requests.ts';
import { readSubmission } from '../jobs/submissions.ts';
import {
  commit,
  findJob,
  findJobsByServiceId,
  findNewestByServiceId,
  isJobIdKnown,
  markSeen,
  readJobsToRetry,
  readLiveJobs,
  recordRequests,
  setStarred,
  changeTags,
  type TagChange,
} from '../jobs/jobs.ts';
import { judge, readNote, writeNote } from '../jobs/judgements.ts';
import { readLineage, renameJob } from '../jobs/lineage.ts';
import { removeJob } from '../jobs/remove.ts';
import type { JobCommit, StoredJob } from '../records.ts';
import type { CallContext } from './call-context.ts';
import type { BinPage, BinPlace, BinUse } from '../../../src-preload/bin.ts';
import type { TimeSpan } from '../../time/clock-record.ts';
import type { MergeConnection } from '../backup/merge-rule.ts';
import type { MergedPage } from '../backup/merge.ts';
import type { ExpiredStep } from '../bin/bin.ts';

/** What is saved of one job, or of some named ones. */
export const jobOperations = {
  /** Returns the jobs afterwards, with the user's fields. */
  commit: ({ db }: CallContext, changes: JobCommit[]): Job[] => commit(db, changes),
  /** Adds request records without changing the job otherwise (its requestCount rises). `isAgain` as in `JobCommit`. */
  recordRequests: ({ db }: CallContext, key: string, requests: Omit<RequestRecord, 'id'>[], isAgain?: true): void =>
    recordRequests(db, key, requests, isAgain),
  requests({ db }: CallContext, key: string): RequestRecord[] {
    const found = findJob(db, key);
    return found === null ? [] : readRequests(db, found.id);
  },

  get({ db }: CallContext, key: string): StoredJob | null {
    const found = findJob(db, key);
    return found === null
      ? null
      : {
          job: found.job,
          attempts: readAttempts(db, found.id),
          submission: readSubmission(db, found.id),
          note: readNote(db, found.id),
          lineage: readLineage(db, found),
          alike: alikeOf(db, found),
        };
  },
  /** The newest job of any service with this id. */
  newestByServiceId: ({ db }: CallContext, jobId: string): Job | null => findNewestByServiceId(db, jobId)?.job ?? null,
  /** Jobs with this id on one endpoint of the service at `baseUrl`, of any connection, newest first. */
  findByJobId: ({ db }: CallContext, baseUrl: string, endpointId: string, jobId: string): Job[] =>
    findJobsByServiceId(db, baseUrl, endpointId, jobId),
  /** Whether any job here, of any endpoint, has this id at its service. */
  knowsJobId: ({ db }: CallContext, jobId: string): boolean => isJobIdKnown(db, jobId),

  /** Jobs in the phases waiting, submitting and active, oldest first, for tracking to resume. */
  liveJobs: ({ db }: CallContext): Job[] => readLiveJobs(db),
  /** Jobs whose retry waits to be sent, in the order of the requests. */
  jobsToRetry: ({ db }: CallContext): Job[] => readJobsToRetry(db),

  /** Only the job, without its submission. */
  job: ({ db }: CallContext, key: string): Job | null => findJob(db, key)?.job ?? null,
  /** In the order of the keys. Missing ones are left out. */
  jobsByKeys: ({ db }: CallContext, keys: string[]): Job[] => keys.flatMap((key) => findJob(db, key)?.job ?? []),

  /** Null attempt: the newest. `maxBytes` null: whole. Null if there is no such body. */
  body(
    { db }: CallContext,
    key: string,
    part: BodyPart,
    attempt: number | null,
    maxBytes: number | null,
  ): BodyText | null {
    const found = findJob(db, key);
    if (found === null) return null;
    const ofJob = part === 'input' || part === 'printed';
    return readBody(db, found.id, { part, attempt: ofJob ? 0 : (attempt ?? found.job.attempt) }, maxBytes);
  },
  /** Saves what the job's handler printed, as JSON, replacing what was saved of that, if there is such a job. */
  storePrinted({ db }: CallContext, key: string, json: string): void {
    const found = findJob(db, key);
    if (found !== null) writeBody(db, found.id, { part: 'printed', attempt: 0 }, json);
  },

  /** Moves a job into the bin with everything saved of it. Returns whether it existed. */
  binJob: ({ bin, nowMs }: CallContext, key: string): boolean => bin.take(key, nowMs),
  /** Deletes a job with everything saved of it, for good. Returns whether it existed. */
  removeJob: ({ db }: CallContext, key: string): boolean => removeJob(db, key),
  /** Moves the submission of the job `fromKey` to this one, and removes the former. Returns the job. */
  adoptSubmission: ({ db }: CallContext, by: AdoptingJob, fromKey: string): Job => adoptSubmission(db, by, fromKey),
  /** Returns only the jobs that this changed. */
  markSeen: ({ db }: CallContext, keys: string[], isSeen = true): Job[] => markSeen(db, keys, isSeen),

  setStarred: ({ db }: CallContext, key: string, isStarred: boolean): Job | null => setStarred(db, key, isStarred),
  changeTags: ({ db }: CallContext, key: string, change: TagChange): Job | null | 'too-many' =>
    changeTags(db, key, change),
  renameJob: ({ db }: CallContext, key: string, title: string): Job | null => renameJob(db, key, title),
  judge: ({ db }: CallContext, key: string, change: JudgementChange): Job | null => judge(db, key, change),
  /** An empty note deletes it. */
  writeNote: ({ db }: CallContext, key: string, note: string): Job | null => writeNote(db, key, note),
};

/** The bin of deleted jobs; see bin/bin.ts. Jobs are moved there by `binJob`. */
export const binOperations = {
  /** Some jobs after a place (null: from the last deleted), the last deleted first. */
  binPage: ({ bin, nowMs }: CallContext, after: BinPlace | null, limit: number): BinPage =>
    bin.page(after, limit, nowMs),
  binUse: ({ bin, nowMs }: CallContext): BinUse => bin.use(nowMs),
  /** Keys of up to `limit` jobs after `afterKey`, in order. */
  binKeys: ({ bin, nowMs }: CallContext, afterKey: string, limit: number): string[] => bin.keys(afterKey, limit, nowMs),
  /** Merges jobs into the history, up to `lastKey` of the answer. Those of `live` are merged one by one. */
  restoreBinned: ({ bin, nowMs }: CallContext, keys: string[], connections: MergeConnection[]): MergedPage =>
    bin.restore(keys, connections, nowMs),
  /** Merges a job that is live in the history. Null if it had nothing new. */
  restoreLiveBinned: ({ bin, nowMs }: CallContext, key: string, connections: MergeConnection[]): Job | null =>
    bin.restoreLive(key, connections, nowMs),
  /** Deletes jobs for good. */
  removeBinned: ({ bin, nowMs }: CallContext, keys: string[]): void => bin.remove(keys, nowMs),
  emptyBin: ({ bin, nowMs }: CallContext): void => bin.empty(nowMs),
  /** Deletes some of the jobs for good that were deleted before `tooOldMs`. */
  expireBinned: ({ bin, nowMs }: CallContext, tooOldMs: number, excluded: TimeSpan[]): ExpiredStep =>
    bin.expire(tooOldMs, excluded, nowMs),
};
