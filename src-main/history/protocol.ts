import type { Batch } from '../../src-preload/batch.ts';
import type { AllJobCounts } from '../../src-preload/history.ts';
import type { CallAnswers, CallArguments, CallName } from './operations.ts';
import type { HistoryPreparation } from '../../src-preload/app.ts';
import type { UnsearchableJobs, SetAside } from './records.ts';

/** Which calls change the file. A batch of calls that only read needs no transaction. */
export const callKinds = {
  commit: 'write',
  appendChunks: 'write',
  chunks: 'read',
  streamPage: 'read',
  countStreamChars: 'read',
  findChunks: 'read',
  storeSuspectedRepeats: 'write',
  repairStream: 'write',
  copyStream: 'write',
  recordRequests: 'write',
  requests: 'read',
  get: 'read',
  newestByServiceId: 'read',
  findByJobId: 'read',
  knowsJobId: 'read',
  liveJobs: 'read',
  jobsToRetry: 'read',
  list: 'read',
  inputs: 'read',
  counts: 'read',
  body: 'read',
  storePrinted: 'write',
  runTimes: 'read',
  runSamples: 'read',
  inputNumbers: 'read',
  learnedInputs: 'read',
  // Nothing of this is written to disk; the same is true of dropStagedBatch.
  stageBatchRows: 'read',
  insertBatch: 'write',
  commitStaged: 'write',
  dropStagedBatch: 'read',
  batches: 'read',
  batchesById: 'read',
  renameBatch: 'write',
  batchPair: 'read',
  jobCells: 'read',
  jobImage: 'read',
  pausedBatches: 'read',
  limitedBatches: 'read',
  setBatchPaused: 'write',
  batchRows: 'read',
  job: 'read',
  removeJob: 'write',
  binJob: 'write',
  binPage: 'read',
  binUse: 'read',
  binKeys: 'read',
  restoreBinned: 'write',
  restoreLiveBinned: 'write',
  removeBinned: 'write',
  emptyBin: 'write',
  expireBinned: 'write',
  adoptSubmission: 'write',
  dataset: 'read',
  // What it writes is not part of the database.
  writeExportPage: 'read',
  forgetBodies: 'write',
  countForgettable: 'read',
  measureStorage: 'read',
  reclaimSpace: 'write',
  // It cannot run in a transaction.
  compact: 'read',
  mergePage: 'write',
  mergeJob: 'write',
  countIncoming: 'read',
  endMerge: 'read',
  setStarred: 'write',
  setTags: 'write',
  renameJob: 'write',
  judge: 'write',
  writeNote: 'write',
  labels: 'read',
  countJobs: 'read',
  keys: 'read',
  jobsByKeys: 'read',
  tags: 'read',
  markSeen: 'write',
  costOfFilter: 'read',
  costsSince: 'read',
  recentEnds: 'read',
  purgedAmong: 'read',
  failureCauses: 'read',
  failuresByWorker: 'read',
  causeNames: 'read',
  failureCause: 'read',
  causeOfJob: 'write',
  muteCause: 'write',
  mutedFailures: 'read',
  addHealth: 'write',
  latestHealth: 'read',
  healthTrends: 'read',
  healthSeries: 'read',
  jobTimings: 'read',
  putAlert: 'write',
  alerts: 'read',
  alertsAtStart: 'read',
  addNotification: 'write',
  settleNotifications: 'write',
  notifications: 'read',
  notification: 'read',
  unreportedEnds: 'read',
  waitingNotifications: 'read',
  unseenNotifications: 'read',
  unseenJobsOfNotifications: 'read',
  markNotificationsSeen: 'write',
  markNotificationsUnseen: 'write',
  documents: 'read',
  readDocument: 'read',
  putDocument: 'write',
  removeDocument: 'write',
} as const satisfies Record<CallName, 'read' | 'write'>;

export const callNames: readonly CallName[] = Object.keys(callKinds).filter(isCallName);

function isCallName(name: string): name is CallName {
  return Object.hasOwn(callKinds, name);
}

/** One call, with the id of its answer. */
export interface Request<N extends CallName = CallName> {
  id: number;
  name: N;
  args: CallArguments[N];
}

/** The answer to one call. It includes the name, so that the caller can check that it is its own. */
export interface Answer<N extends CallName = CallName> {
  id: number;
  name: N;
  isOk: true;
  value: CallAnswers[N];
}

export type Reply = Answer | ErrorReply;

/** A call that failed, with a message for the user. */
export interface ErrorReply {
  id: number;
  isOk: false;
  message: string;
  /** True if no other call would work either, because the database as a whole refused. */
  isStorageTrouble: boolean;
}

/** To the thread: the gathered calls, in order. `nowMs` is the clock at sending; the thread has none of its own. */
export type ToWorker =
  | { kind: 'calls'; requests: Request[]; nowMs: number; startOfTodayMs: number }
  | { kind: 'close' };

/**
 * From the thread. `opened` or `refused` comes once, and before it at most one `preparing`. Replies come in the order
 * of the calls, with the counts of jobs and the batches if these calls changed them, or asked for them before they were
 * sent. `unsearchable` comes at any time after opening.
 */
export type FromWorker =
  | { kind: 'preparing'; preparing: HistoryPreparation }
  /** `heldBack`: how many jobs the file, a copy, would have sent. */
  | { kind: 'opened'; setAside: SetAside | null; heldBack: number; counted: Counted }
  | { kind: 'refused'; message: string }
  | { kind: 'replies'; replies: Reply[]; counted: Counted | null }
  | { kind: 'unsearchable'; unsearchable: UnsearchableJobs }
  | { kind: 'closed' };

/** The counts of all jobs, and the batches that changed since they were last sent. */
export interface Counted {
  counts: AllJobCounts;
  batches: Batch[];
  /** How many further batches changed and could not be read. They come with later counts. */
  unreadBatches: number;
}

/** What the thread is started with. */
export interface WorkerStart {
  path: string;
  nowMs: number;
  startOfTodayMs: number;
  /** That of the last counts of a former thread. 0 at first. */
  revision: number;
}

/** What the history needs of its thread. */
export interface HistoryWorker {
  on<N extends keyof HistoryWorkerEvents>(event: N, listener: (...args: HistoryWorkerEvents[N]) => void): unknown;
  postMessage(message: ToWorker, transfer: readonly []): void;
}

export interface HistoryWorkerEvents {
  message: [message: FromWorker];
  error: [error: Error];
  exit: [];
}
