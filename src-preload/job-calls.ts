import { batchName, batchRequest, batchStage } from './batch-schema.ts';
import { cellsOfJobs, tableToSave, exportFormat, exportSource } from './export-schema.ts';
import type { JobCells, JobImage } from './batch-table.ts';
import type { Batch, BatchList, BatchPair, BatchSubmission } from './batch.ts';
import { call, nothing, ofConnection, ofEndpoint } from './call-spec.ts';
import type { Exported } from './export.ts';
import { muteChoice } from './failure-cause-schema.ts';
import type { FailureDetail, FailureOverview, FailuresByWorker, NamedCause } from './failure-cause.ts';
import { jobFilter, jobSort } from './history-schema.ts';
import type {
  AllJobCounts,
  BodyText,
  EarlierInput,
  JobKeys,
  JobPage,
  JobTotal,
  RunTimes,
  TagInUse,
} from './history.ts';
import { maxDeleted, type JobDeletion } from './job-deletion.ts';
import { jobTags, jobTitle, judgementChange, submissionDraft, ttlMs } from './job-schema.ts';
import type { Job, JobDetail, RequestRecord } from './job.ts';
import type { LearnedInputs } from './learned.ts';
import { refusalText } from './messages/refusals.ts';
import type { JobPrinted } from './printed.ts';
import { codeLanguage, jobRequest, jobRequestLanguage } from './request-code-schema.ts';
import { z } from 'zod';

const ofJob = z.object({ key: z.string().min(1).max(64) });
const batchId = z.string().min(1).max(64);
const ofBatch = z.object({ id: batchId });
const pairOfBatches = { batchId, withId: batchId };
const ofCause = z.object({ id: z.number().int().min(1) });

/** The calls of the contract about jobs, their drafts, batches and failures. */
export const jobCalls = {
  /**
   * Journals the intent, then sends it once. Returns as soon as the intent is on disk; changes come as `job:changed`.
   */
  'job:submit': call<Job>()(submissionDraft),
  'job:list': call<JobPage>()(
    z.object({
      filter: jobFilter,
      /** Null: newest first. */
      sort: jobSort.nullable().default(null),
      beforeKey: z.string().max(4_000).nullable(),
      limit: z.number().int().min(1).max(500),
    }),
  ),
  /** The different inputs of an endpoint's jobs, by the newest run of each. `text`: as in a filter. */
  'job:inputs': call<EarlierInput[]>()(
    ofEndpoint.extend({ text: z.string().max(2_000), limit: z.number().int().min(1).max(100) }),
  ),
  /** How many jobs match, without reading any. Counted as far as a list's total is. */
  'job:count': call<JobTotal>()(z.object({ filter: jobFilter })),
  /** The keys of all matching jobs, for actions on all of them. */
  'job:keys': call<JobKeys>()(z.object({ filter: jobFilter })),
  /** Jobs by their keys, in that order. Missing ones are left out. */
  'job:some': call<Job[]>()(z.object({ keys: z.array(z.string().max(64)).max(1_000) })),
  'job:counts': call<AllJobCounts>()(z.undefined()),
  'job:get': call<JobDetail>()(ofJob),
  'job:body': call<BodyText>()(
    ofJob.extend({
      part: z.enum(['input', 'output', 'error', 'reply']),
      attempt: z.number().int().min(1).nullable(),
      isWhole: z.boolean(),
    }),
  ),
  'job:requests': call<RequestRecord[]>()(ofJob),
  /** What the job's handler printed in the sandbox. Null if nothing is known of that. */
  'job:printedLines': call<JobPrinted | null>()(ofJob),
  'job:runTimes': call<RunTimes[]>()(ofConnection),
  /** Tracks jobs that were submitted elsewhere, by their ids. Jobs that are known already are returned unchanged. */
  'job:followExternal': call<Job[]>()(
    ofConnection.extend({
      endpointId: z.string().min(1).max(200),
      jobIds: z.array(z.string().trim().min(1).max(200)).min(1).max(1_000),
    }),
  ),
  /** Tracks the job that a submission of unknown outcome probably became, because a webhook named its id. */
  'job:confirmSubmission': call<Job>()(ofJob),
  'job:cancel': call<Job>()(ofJob),
  /** Withdraws a waiting retry or an unsent job, and nothing that may have left. */
  'job:withdraw': call<{ job: Job; isWithdrawn: boolean }>()(ofJob),
  'job:retry': call<Job>()(ofJob),
  /** Submits the saved input again as a new job. Also "submit again" for an unknown outcome. */
  'job:resubmit': call<Job>()(ofJob),
  /** The saved submission, ready for the composer. */
  'job:draft': call<z.infer<typeof submissionDraft>>()(ofJob),
  'job:extendTtl': call<Job>()(ofJob.extend({ ttlMs })),
  /** Reads the status of a job now. One that is gone becomes active again if the service knows it (ruling 34). */
  'job:checkNow': call<null>()(ofJob),
  /** Gives up the rest of a stream that is still being read (ruling 36). */
  'job:stopWaiting': call<Job>()(ofJob),
  /** The jobs that this window shows now, which are read often. Replaces the former ones. */
  'job:watch': call<null>()(
    z.object({ openKey: z.string().max(64).nullable(), rowKeys: z.array(z.string().max(64)).max(200) }),
  ),
  'job:star': call<null>()(ofJob.extend({ isStarred: z.boolean() })),
  /**
   * Adds tags to a job and removes others. Its other tags stay, also those that another window has just added. Refused
   * if it would have too many.
   */
  'job:tag': call<Job>()(ofJob.extend({ add: jobTags, remove: jobTags })),
  /** Changes a job's title. */
  'job:rename': call<Job>()(ofJob.extend({ title: jobTitle })),
  /** Gives a job a mark or a label, or removes it. */
  'job:judge': call<Job>()(ofJob.extend({ change: judgementChange })),
  /**
   * Saves the user's note on a job, in markdown. An empty one deletes it. `over` is the note that it was typed over: if
   * the saved one is another by now, it stays, and the refusal is of the field `over`.
   */
  'job:note': call<Job>()(
    ofJob.extend({
      text: z.string().max(100_000, refusalText.noteLength),
      over: z.string().max(100_000, refusalText.noteLength).optional(),
    }),
  ),
  /** The tags in use, the most frequent first. */
  'job:tags': call<TagInUse[]>()(nothing),
  /** The labels in use, the most frequent first. */
  'job:labels': call<string[]>()(nothing),
  /** Jobs as lines of a dataset, for the clipboard. `jobs` says how many are included. */
  'job:dataset': call<{ text: string; jobs: number }>()(
    z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(1_000) }),
  ),
  /**
   * Moves ended jobs from the history into the bin, or deletes them for good. Others stay, and the answer says why.
   */
  'job:delete': call<JobDeletion>()(
    z.object({
      keys: z.array(z.string().min(1).max(64)).min(1).max(maxDeleted),
      isForGood: z.boolean().default(false),
    }),
  ),
  /** Writes jobs to a file of the user's choice. Null if none was chosen. Never with a key or a secret. */
  'job:export': call<Exported | null>()(z.object({ source: exportSource, format: exportFormat })),
  /** Keys, values and bounds of the newest completed inputs of an endpoint. */
  'job:learnedInputs': call<LearnedInputs>()(ofEndpoint),
  /** A curl command for the job or draft. The key is written as $JOBDECK_KEY. */
  'job:curl': call<{ command: string }>()(z.union([ofJob, z.object({ draft: submissionDraft })])),

  /** The failures of a connection since then, by cause. */
  'failure:causes': call<FailureOverview>()(ofConnection.extend({ sinceMs: z.number().min(0) })),
  /** How often each cause failed on which worker since then, of the newest failures of each cause. */
  'failure:byWorker': call<FailuresByWorker>()(ofConnection.extend({ sinceMs: z.number().min(0) })),
  /** The causes of a connection by name, the most frequent first. */
  'failure:names': call<NamedCause[]>()(ofConnection),
  /** A cause's newest jobs, and what they have in common compared with completed jobs. */
  'failure:cause': call<FailureDetail>()(ofCause),
  /** The cause of a job's failure; absent if the job did not fail. */
  'failure:ofJob': call<NamedCause>()(ofJob),
  /** Takes a cause out of the figures, or puts it back with null; its jobs stay. */
  'failure:mute': call<null>()(ofCause.extend({ mute: muteChoice.nullable() })),

  /** Code that submits a job's input again. The key is read from a variable. */
  'job:code': call<{ code: string }>()(ofJob.extend({ language: codeLanguage })),
  /** A request about a job as code, with the key as a variable. Errors: `absent` without an id or in this language. */
  'job:requestCode': call<{ code: string }>()(ofJob.extend({ request: jobRequest, language: jobRequestLanguage })),

  /** Sends inputs for the next `batch:submit`. They are kept in memory until then. */
  'batch:stage': call<null>()(batchStage),
  /**
   * Journals all rows or none, then sends them in order. If some rows cannot be sent, they are returned and nothing is
   * saved.
   */
  'batch:submit': call<BatchSubmission>()(batchRequest),
  'batch:list': call<BatchList>()(z.object({ connectionId: z.string().max(64).nullable() })),
  /** The jobs of one row in two batches. `at`: which pair, from 0; null: the first that is not judged. */
  'batch:pair': call<BatchPair>()(z.object({ ...pairOfBatches, at: z.int().min(0).nullable() })),
  /** What a table shows of these jobs, for the first `passed` of them: fewer if their bodies are large. */
  'batch:cells': call<{ cells: JobCells[]; passed: number }>()(cellsOfJobs),
  /** The first image of a job's output. Null if there is none. */
  'batch:image': call<JobImage | null>()(ofJob),
  /** Writes a table to a file of the user's choice, its values whole. Null if none was chosen. */
  'table:save': call<Exported | null>()(tableToSave),
  'batch:rename': call<Batch>()(ofBatch.extend({ name: batchName })),
  'batch:pause': call<Batch>()(ofBatch),
  /** `isUndo`: as if it had not been paused, so its failures are not counted from zero again. */
  'batch:resume': call<Batch>()(ofBatch.extend({ isUndo: z.boolean().optional() })),
  /** Cancels the rows that have not been sent. */
  'batch:withdraw': call<Batch>()(ofBatch),
  /** Submits the inputs of the rows that failed or were refused as a new batch. */
  'batch:submitFailed': call<BatchSubmission>()(ofBatch),

  'draft:load': call<{ text: string } | null>()(z.object({ slot: z.string().max(400) })),
  'draft:save': call<null>()(z.object({ slot: z.string().max(400), text: z.string().max(30_000_000) })),
} as const;
