import type { Batch } from '../../src-preload/batch.ts';
import type { AllJobCounts } from '../../src-preload/history.ts';
import type { CallAnswers, CallArguments, CallName } from './operations.ts';
import type { HistoryPreparation } from '../../src-preload/app.ts';
import type { AttachedIndex } from './file/index-file.ts';
import type { UnsearchableJobs, SetAside } from './records.ts';

/**
 * Which calls run in a transaction: those that change rows of the database. The others read, or change what is not in
 * the database. A batch with none of the former has no transaction.
 */
export const transactionModes = {
  commit: 'in-transaction',
  appendChunks: 'in-transaction',
  chunks: 'without-transaction',
  streamPage: 'without-transaction',
  countStreamChars: 'without-transaction',
  findChunks: 'without-transaction',
  storeSuspectedRepeats: 'in-transaction',
  repairStream: 'in-transaction',
  copyStream: 'in-transaction',
  recordRequests: 'in-transaction',
  requests: 'without-transaction',
  get: 'without-transaction',
  newestByServiceId: 'without-transaction',
  findByJobId: 'without-transaction',
  knowsJobId: 'without-transaction',
  liveJobs: 'without-transaction',
  jobsToRetry: 'without-transaction',
  list: 'without-transaction',
  inputs: 'without-transaction',
  counts: 'without-transaction',
  body: 'without-transaction',
  storePrinted: 'in-transaction',
  runTimes: 'without-transaction',
  runSamples: 'without-transaction',
  inputNumbers: 'without-transaction',
  learnedInputs: 'without-transaction',
  // What is staged is not on disk.
  stageBatchRows: 'without-transaction',
  insertBatch: 'in-transaction',
  commitStaged: 'in-transaction',
  dropStagedBatch: 'without-transaction',
  batches: 'without-transaction',
  batchesById: 'without-transaction',
  renameBatch: 'in-transaction',
  batchPair: 'without-transaction',
  jobCells: 'without-transaction',
  jobImage: 'without-transaction',
  pausedBatches: 'without-transaction',
  limitedBatches: 'without-transaction',
  setBatchPaused: 'in-transaction',
  batchRows: 'without-transaction',
  job: 'without-transaction',
  removeJob: 'in-transaction',
  binJob: 'in-transaction',
  binPage: 'without-transaction',
  binUse: 'without-transaction',
  binKeys: 'without-transaction',
  restoreBinned: 'in-transaction',
  restoreLiveBinned: 'in-transaction',
  removeBinned: 'in-transaction',
  emptyBin: 'in-transaction',
  expireBinned: 'in-transaction',
  adoptSubmission: 'in-transaction',
  dataset: 'without-transaction',
  // What it writes is not part of the database.
  writeExportPage: 'without-transaction',
  forgetBodies: 'in-transaction',
  countForgettable: 'without-transaction',
  measureStorage: 'without-transaction',
  reclaimSpace: 'in-transaction',
  // These cannot run in a transaction.
  emptyLogs: 'without-transaction',
  compact: 'without-transaction',
  mergePage: 'in-transaction',
  mergeJob: 'in-transaction',
  countIncoming: 'without-transaction',
  endMerge: 'without-transaction',
  setStarred: 'in-transaction',
  changeTags: 'in-transaction',
  renameJob: 'in-transaction',
  judge: 'in-transaction',
  writeNote: 'in-transaction',
  labels: 'without-transaction',
  countJobs: 'without-transaction',
  keys: 'without-transaction',
  jobsByKeys: 'without-transaction',
  tags: 'without-transaction',
  markSeen: 'in-transaction',
  costOfFilter: 'without-transaction',
  costsSince: 'without-transaction',
  recentEnds: 'without-transaction',
  purgedAmong: 'without-transaction',
  sentAgainAmong: 'without-transaction',
  failureCauses: 'without-transaction',
  failuresByWorker: 'without-transaction',
  causeNames: 'without-transaction',
  failureCause: 'without-transaction',
  causeOfJob: 'in-transaction',
  muteCause: 'in-transaction',
  mutedFailures: 'without-transaction',
  addHealth: 'in-transaction',
  latestHealth: 'without-transaction',
  healthTrends: 'without-transaction',
  healthSeries: 'without-transaction',
  jobTimings: 'without-transaction',
  putAlert: 'in-transaction',
  alerts: 'without-transaction',
  alertsAtStart: 'without-transaction',
  addNotification: 'in-transaction',
  settleNotifications: 'in-transaction',
  notifications: 'without-transaction',
  notification: 'without-transaction',
  unreportedEnds: 'without-transaction',
  waitingNotifications: 'without-transaction',
  unseenNotifications: 'without-transaction',
  unseenJobsOfNotifications: 'without-transaction',
  markNotificationsSeen: 'in-transaction',
  markNotificationsUnseen: 'in-transaction',
  documents: 'without-transaction',
  readDocument: 'without-transaction',
  putDocument: 'in-transaction',
  removeDocument: 'in-transaction',
} as const satisfies Record<CallName, 'in-transaction' | 'without-transaction'>;

export const callNames: readonly CallName[] = Object.keys(transactionModes).filter(isCallName);

function isCallName(name: string): name is CallName {
  return Object.hasOwn(transactionModes, name);
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
  | ({ kind: 'opened'; setAside: SetAside | null; heldBack: number; counted: Counted } & AttachedIndex)
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
