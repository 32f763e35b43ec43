import { call, type CallSpec } from './call-spec.ts';
import { desktopCalls } from './desktop-calls.ts';
import type { EventName, Events } from './events.ts';
import { z } from 'zod';
import type { AlertOverview, AlertRecord } from './alert.ts';
import { alertRule, alertRuleDraft } from './alert-schema.ts';
import type { AppInfo, Preparation, TrackerState } from './app.ts';
import { batchRequest, batchStage } from './batch-schema.ts';
import type { Batch, BatchPair, BatchSubmission } from './batch.ts';
import { connectionDraft, keyPlace, s3ProfileDraft } from './connection-schema.ts';
import type { AddressNeeds, Connection, ConnectionCheck, KeyStorage, S3Profile } from './connection.ts';
import { limitsChange, rateChange } from './cost-schema.ts';
import type { EndpointCost, EndpointCostSums, ViewCost } from './cost.ts';
import type { MergedJobs, OpenedBackup, RestoredBackup, WrittenBackup } from './backup.ts';
import { exportFormat, exportSource } from './export-schema.ts';
import type { Exported } from './export.ts';
import { muteChoice } from './failure-cause-schema.ts';
import type { FailureDetail, FailureOverview, FailuresByWorker, NamedCause } from './failure-cause.ts';
import type { Failure, Result } from './failure.ts';
import type { EndpointDiagnosis } from './diagnosis.ts';
import type { Health, HealthSeries, HealthTrend, JobTimings } from './health.ts';
import type { ClockDoubt, Compacted, Forgettable, StorageUse } from './storage.ts';
import { jobFilter, jobSort } from './history-schema.ts';
import type { AllJobCounts, BodyText, JobKeys, JobPage, JobTotal, RunTimes, TagInUse } from './history.ts';
import { mostDeleted, type JobDeletion } from './job-deletion.ts';
import { judgementChange, jobTags, jobTitle, submissionDraft, ttlMs } from './job-schema.ts';
import type { LearnedInputs } from './learned.ts';
import type { Job, JobDetail, RequestRecord, StreamChunk } from './job.ts';
import type { KnownPod, RememberedPod } from './pod-reading.ts';
import { podId, podInclude, portNumber, variableName } from './pod-schema.ts';
import type { NetworkCheck } from './network.ts';
import { ofEndpoint, ofPurge, previewOf, purgeAgain, purgeOrder } from './purge-schema.ts';
import type { Purge, PurgeLog, PurgePreview } from './purge.ts';
import { mostFaults } from './sandbox-bounds.ts';
import { codeLanguage, jobRequest, jobRequestLanguage } from './request-code-schema.ts';
import { sandboxFault, timeScale } from './sandbox-schema.ts';
import type { SandboxSight, SandboxState } from './sandbox.ts';
import { retentionRule, settings } from './settings-schema.ts';
import type { Settings } from './settings.ts';
import { seenCalls } from './seen-calls.ts';
import { streamCalls } from './stream-calls.ts';
import { refusalText } from './messages/refusals.ts';
import { templateEdits } from './template-schema.ts';
import type { TemplateSummary, TemplateUndo, TemplateUpdateRecord, TemplateView } from './template.ts';
import type { WebhookReceiverState } from './webhook.ts';

const nothing = z.undefined();
const ofJob = z.object({ key: z.string().min(1).max(64) });
const batchId = z.string().min(1).max(64);
const ofBatch = z.object({ id: batchId });
const pairOfBatches = { batchId, withId: batchId };
const ofConnection = z.object({ connectionId: z.string().min(1).max(64) });
const ofPod = ofConnection.extend({ podId });
const ofTemplate = ofConnection.extend({
  templateId: z
    .string()
    .trim()
    .min(1, 'The id of a template is empty')
    .max(200)
    .refine((id) => id.isWellFormed(), 'The template id contains a broken character'),
});
const ofCause = z.object({ id: z.number().int().min(1) });
const copySeq = z.number().int().min(1);
const key = z.string().min(1, refusalText.key).max(4_000);

/**
 * Every call from windows to the engine, as one value: name -> input schema and output type. Main's `Handlers` and the
 * window's `call` are both derived from it, so a missing handler does not compile.
 */
export const calls = {
  'app:info': call<AppInfo>()(nothing),
  /** Answered immediately, while nearly every other call waits until the engine is open. Null: nothing takes long. */
  'app:preparation': call<Preparation | null>()(nothing),
  /** The content of a bug report, for the user to read before copying it: no key, no secret, no job. */
  'app:diagnostics': call<{ text: string }>()(nothing),
  /** Shows Jobdeck's log, or the file with the history, in the file manager. */
  'app:showInFolder': call<null>()(z.object({ file: z.enum(['log', 'history']) })),
  /** Whether this AppImage is in the desktop's menu of applications. Null if Jobdeck is no AppImage. */
  'app:menuEntry': call<{ isThere: boolean } | null>()(nothing),
  /** Adds the AppImage to the menu and makes it the program for links, or removes it. */
  'app:setMenuEntry': call<null>()(z.object({ isThere: z.boolean() })),
  'app:openExternal': call<null>()(z.object({ url: z.string().max(4_000) })),
  'app:copyText': call<null>()(z.object({ text: z.string().max(50_000_000) })),
  /** Quits as the menu does, after everything received is saved. */
  'app:quit': call<null>()(nothing),
  /**
   * Copies the running sandbox's address and key to the clipboard as shell lines. The key goes from the engine to the
   * clipboard, never through a window.
   */
  'app:copySandboxEnvironment': call<null>()(nothing),
  ...desktopCalls,
  'notice:dismiss': call<null>()(z.object({ id: z.string().max(100) })),

  'settings:get': call<Settings>()(nothing),
  'settings:change': call<Settings>()(settings.partial()),
  /** Connects to an address through the chosen proxy, up to its first answer. Sends no key. */
  'network:check': call<NetworkCheck>()(z.object({ url: z.string().max(2_000) })),
  /** Saves the password for the proxy of the settings, where keys are kept. No call reads it back. */
  'network:setProxyPassword': call<null>()(z.object({ password: z.string().min(1).max(1_000) })),
  /** Makes this the place of new keys and moves the others there. The failure says which could not be moved. */
  'keys:move': call<KeyStorage>()(z.object({ to: keyPlace })),

  'connection:list': call<Connection[]>()(nothing),
  /**
   * Creates or changes a connection; `notes` says what was normalised (ruling 28). A key given here goes straight to
   * the key storage.
   */
  'connection:save': call<{ connection: Connection; notes: string[] }>()(
    z.object({ draft: connectionDraft, key: key.optional() }),
  ),
  'connection:remove': call<null>()(ofConnection),
  'connection:deleteKey': call<null>()(ofConnection),
  /** What the user must confirm about entered addresses before anything is sent to them (ruling 44). Sends nothing. */
  'connection:addressNeeds': call<AddressNeeds>()(
    z.object({ connectionId: z.string().optional(), baseUrl: z.string().max(2000), restUrl: z.string().max(2000) }),
  ),
  /** Reads each endpoint's health once, with the saved key, or with `key` for a draft that is not saved yet. */
  'connection:test': call<ConnectionCheck[]>()(
    z.object({ connectionId: z.string().optional(), draft: connectionDraft.optional(), key: key.optional() }),
  ),
  /** Starts the built-in sandbox if needed and returns its connection, which is created on first use. */
  'connection:openSandbox': call<Connection>()(nothing),

  's3:list': call<S3Profile[]>()(nothing),
  's3:save': call<S3Profile>()(z.object({ draft: s3ProfileDraft, secret: z.string().max(4_000).optional() })),
  's3:remove': call<null>()(z.object({ id: z.string().max(64) })),

  'sandbox:state': call<SandboxState>()(nothing),
  'sandbox:stop': call<SandboxState>()(nothing),
  /** Kept while Jobdeck runs, even if the sandbox is stopped. Not kept over restarts. */
  'sandbox:setTimeScale': call<SandboxState>()(z.object({ timeScale })),
  /** Replaces all faults. Kept like the speed. */
  'sandbox:setFaults': call<SandboxState>()(z.object({ faults: z.array(sandboxFault).max(mostFaults) })),
  /**
   * Whether this window shows requests. `sandbox:requestsSeen` and `sandbox:workersSeen` are sent while any window
   * does.
   */
  'sandbox:watch': call<null>()(z.object({ isWatching: z.boolean() })),
  /** The last requests and workers seen. */
  'sandbox:requests': call<SandboxSight>()(nothing),

  'webhook:state': call<WebhookReceiverState>()(nothing),

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
  ...streamCalls,
  ...seenCalls,
  'job:requests': call<RequestRecord[]>()(ofJob),
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
  'job:tag': call<Job>()(ofJob.extend({ tags: jobTags })),
  /** Changes a job's title. */
  'job:rename': call<Job>()(ofJob.extend({ title: jobTitle })),
  /** Gives a job a mark or a label, or removes it. */
  'job:judge': call<Job>()(ofJob.extend({ change: judgementChange })),
  /** Saves the user's note on a job, in markdown. An empty one deletes it. */
  'job:note': call<Job>()(ofJob.extend({ text: z.string().max(100_000, refusalText.noteLength) })),
  /** The tags in use, the most frequent first. */
  'job:tags': call<TagInUse[]>()(nothing),
  /** The labels in use, the most frequent first. */
  'job:labels': call<string[]>()(nothing),
  /** Jobs as lines of a dataset, for the clipboard. `jobs` says how many are included. */
  'job:dataset': call<{ text: string; jobs: number }>()(
    z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(1_000) }),
  ),
  /** Deletes ended jobs from the history for good. Others stay, and the answer says why. */
  'job:delete': call<JobDeletion>()(z.object({ keys: z.array(z.string().min(1).max(64)).min(1).max(mostDeleted) })),
  /** How much disk space the history takes. Computing it takes a few seconds for a large one. */
  'storage:use': call<StorageUse>()(nothing),
  /** What this retention rule would delete now. */
  'storage:wouldForget': call<Forgettable>()(retentionRule),
  /** Why nothing is deleted automatically: the clock of this computer is doubted. Null: it is not. */
  'storage:clockDoubt': call<ClockDoubt | null>()(nothing),
  /** The user confirms the date of this computer. The retention rule is applied immediately. */
  'storage:confirmClock': call<null>()(nothing),
  /** Rewrites the history's file without its free space. Everything waits meanwhile. */
  'storage:compact': call<Compacted>()(nothing),
  /** Copies the whole history to a file of the user's choice, while it is in use. Null if none was chosen. */
  'backup:write': call<WrittenBackup | null>()(nothing),
  'backup:cancel': call<null>()(nothing),
  /** Checks whether a file of the user's choice is a history. Null if none was chosen. Changes nothing. */
  'backup:open': call<OpenedBackup | null>()(nothing),
  'backup:close': call<null>()(nothing),
  /** Replaces the history with the checked file and sets the history aside. Jobdeck restarts for it. */
  'backup:restore': call<null>()(nothing),
  /** The last restore, while it can be undone. */
  'backup:restored': call<RestoredBackup | null>()(nothing),
  /** Restores the history that the last restore set aside. Jobdeck restarts for it. */
  'backup:undoRestore': call<null>()(nothing),
  /** Adds the jobs of the checked file, which may be another computer's history. Doing it twice changes nothing. */
  'backup:merge': call<MergedJobs>()(nothing),
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
  /** The newest jobs of a cause, for actions on all of them. */
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
  /** Newest first. */
  'batch:list': call<Batch[]>()(z.object({ connectionId: z.string().max(64).nullable() })),
  /** The jobs of one row in two batches. `at`: which pair, from 0; null: the first that is not judged. */
  'batch:pair': call<BatchPair>()(z.object({ ...pairOfBatches, at: z.int().min(0).nullable() })),
  'batch:pause': call<Batch>()(ofBatch),
  /** `isUndo`: as if it had not been paused, so its failures are not counted from zero again. */
  'batch:resume': call<Batch>()(ofBatch.extend({ isUndo: z.boolean().optional() })),
  /** Cancels the rows that have not been sent. */
  'batch:withdraw': call<Batch>()(ofBatch),
  /** Submits the inputs of the rows that failed or were refused as a new batch. */
  'batch:submitFailed': call<BatchSubmission>()(ofBatch),

  'draft:load': call<{ text: string } | null>()(z.object({ slot: z.string().max(400) })),
  'draft:keep': call<null>()(z.object({ slot: z.string().max(400), text: z.string().max(30_000_000) })),

  /** The saved points of an endpoint (null: of each endpoint of the connection) since `sinceMs`, oldest first. */
  'health:series': call<HealthSeries[]>()(
    ofConnection.extend({ endpointId: z.string().max(200).nullable(), sinceMs: z.number().min(0) }),
  ),
  /**
   * Delay and execution times of saved jobs that ended since `sinceMs`: of an endpoint (null: of each, and then of all
   * together).
   */
  'health:timings': call<JobTimings[]>()(
    ofConnection.extend({ endpointId: z.string().max(200).nullable(), sinceMs: z.number().min(0) }),
  ),
  /** What is wrong with a connection's endpoints, as last diagnosed. */
  'health:diagnoses': call<EndpointDiagnosis[]>()(ofConnection),
  /** Hides an endpoint's diagnosis until then. Null shows it again. */
  'health:mute': call<EndpointDiagnosis>()(
    ofConnection.extend({ endpointId: z.string().max(200), untilMs: z.number().min(0).nullable() }),
  ),
  /**
   * The endpoints whose health this window shows, which is read every few seconds. Replaces the former ones; an empty
   * list ends it.
   */
  'health:watch': call<null>()(ofConnection.extend({ endpointIds: z.array(z.string().min(1).max(200)).max(200) })),
  'health:latest': call<{ health: Health[]; trends: HealthTrend[] }>()(ofConnection),
  /**
   * Reads the health of a connection's endpoints once. The readings are sent as `health:changed`. At most one read per
   * second and endpoint (ruling 20).
   */
  'health:refresh': call<null>()(ofConnection),
  /** Pods that were opened before, the last one first. Null for all connections. */
  'pod:list': call<RememberedPod[]>()(z.object({ connectionId: z.string().max(64).nullable() })),
  /** What is known of a pod on this computer. Sends no request. */
  'pod:open': call<KnownPod>()(ofPod),
  /** Reads a pod once (spec: Get a pod). Env values are hidden. Within 60 management requests a minute (ruling 20). */
  'pod:read': call<KnownPod>()(ofPod.extend({ include: podInclude })),
  'pod:pin': call<null>()(ofPod.extend({ isPinned: z.boolean() })),
  'pod:forget': call<null>()(ofPod),
  /** One env value of the last reading, to be shown for a moment. */
  'pod:reveal': call<{ value: string }>()(ofPod.extend({ name: variableName })),
  /** Copies one env value to the clipboard. It goes from the engine to the clipboard, never through a window. */
  'pod:copyEnv': call<null>()(ofPod.extend({ name: variableName })),
  /** Opens `http://ip:port` of a mapped http port in the browser, by the last reading of the pod. */
  'pod:openPort': call<null>()(ofPod.extend({ port: portNumber })),
  /** A curl command that reads the pod. The key is written as $JOBDECK_KEY. */
  'pod:curl': call<{ command: string }>()(ofPod.extend({ include: podInclude })),
  /** A connection's alert rules and their states. */
  'alert:list': call<AlertOverview>()(ofConnection),
  'alert:saveRule': call<AlertOverview>()(alertRuleDraft),
  'alert:removeRule': call<AlertOverview>()(ofConnection.extend({ ruleId: z.string().max(64) })),
  /** Restores a deleted rule at its place in the list. */
  'alert:restoreRule': call<AlertOverview>()(
    ofConnection.extend({ rule: alertRule, place: z.number().int().min(0).max(1_000) }),
  ),
  /**
   * Switches a rule on or off. A rule for all endpoints is switched at `endpointId` only or, with null, at all of them.
   */
  'alert:setOn': call<AlertOverview>()(
    ofConnection.extend({ ruleId: z.string().max(64), endpointId: z.string().max(200).nullable(), isOn: z.boolean() }),
  ),
  /** Past alerts, newest first: those before `beforeId`, or, with null, from the newest. */
  'alert:history': call<AlertRecord[]>()(
    ofConnection.extend({
      endpointId: z.string().max(200).nullable(),
      beforeId: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
    }),
  ),
  /** Templates that were seen through a connection, and those with a draft (ruling 23). */
  'template:list': call<TemplateSummary[]>()(ofConnection),
  /** What is known of a template on this computer. Sends no request. */
  'template:view': call<TemplateView>()(ofTemplate),
  /** Reads a pod with its template. Refused if the pod has another template. */
  'template:readFromPod': call<TemplateView>()(
    ofTemplate.extend({ podId: z.string().trim().min(1, 'The id of a pod is empty').max(200) }),
  ),
  /** The value of one variable of a copy, to be shown for a moment. */
  'template:reveal': call<{ value: string }>()(
    ofTemplate.extend({ seq: copySeq, name: z.string().min(1).max(10_000) }),
  ),
  /** Saves the draft, with entered values sealed. Null deletes it. */
  'template:keepDraft': call<null>()(
    ofTemplate.extend({ draft: z.strictObject({ baseSeq: copySeq.nullable(), edits: templateEdits }).nullable() }),
  ),
  /**
   * Sends an update once, journalled before (rulings 9, 22, 31). `baseSeq` is the copy the user saw. A refusal by the
   * service, or an unknown outcome, is in the record.
   */
  'template:update': call<TemplateUpdateRecord>()(
    ofTemplate.extend({
      baseSeq: copySeq.nullable(),
      edits: templateEdits,
      confirmedWith: z.string().max(1_000).nullable(),
    }),
  ),
  /** The edits that restore a former copy. Null: the state before the last update. Nothing is sent. */
  'template:undo': call<TemplateUndo>()(ofTemplate.extend({ toSeq: copySeq.nullable() })),
  'template:forget': call<null>()(ofTemplate),
  /** What a purge of the endpoint's queue would remove now. Sends no request, unless the health is to be read again. */
  'purge:preview': call<PurgePreview>()(previewOf),
  /**
   * Purges the queue with one request, which is never repeated. Refused while locked, and unless `typed` names the
   * endpoint.
   */
  'purge:send': call<Purge>()(purgeOrder),
  /** Purges of the endpoint that were sent from here, newest first. */
  'purge:log': call<PurgeLog>()(ofEndpoint),
  /** What a purge came to is not shown again until there is another. */
  'purge:dismiss': call<null>()(ofPurge),
  /** Submits the saved inputs of a purge's jobs again. `failure`: why some were not submitted. */
  'purge:submitAgain': call<{ submitted: number; failure: Failure | null }>()(purgeAgain),

  /** The rates and limits of endpoints that have any. Null for all connections. */
  'cost:list': call<EndpointCost[]>()(z.object({ connectionId: z.string().max(64).nullable() })),
  'cost:setRate': call<EndpointCost>()(rateChange),
  'cost:setLimits': call<EndpointCost>()(limitsChange),
  /** The total cost of the jobs of a list. */
  'cost:ofFilter': call<ViewCost>()(z.object({ filter: jobFilter })),
  'cost:ofEndpoint': call<EndpointCostSums>()(ofEndpoint),

  'tracker:state': call<TrackerState>()(nothing),
  'tracker:pause': call<TrackerState>()(nothing),
  'tracker:resume': call<TrackerState>()(nothing),
  /** Tries immediately what waits for a next try. */
  'tracker:tryNow': call<TrackerState>()(nothing),
} as const;

type Calls = typeof calls;
export type CallName = keyof Calls;
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
export type CallOutput<N extends CallName> = Calls[N] extends CallSpec<z.ZodType, infer O> ? O : never;

/** The sender of a call. */
export interface Caller {
  windowId: number;
}

type Handler<I, O> = (input: I, from: Caller) => Promise<Result<O>> | Result<O>;

interface CallTypes {
  input: unknown;
  output: unknown;
}
type TypesOf = { [N in CallName]: { input: z.output<Calls[N]['input']>; output: CallOutput<N> } };
type HandlerOf<T extends CallTypes> = Handler<T['input'], T['output']>;

/** The handler of one call. */
export type HandlerFor<N extends CallName> = HandlerOf<TypesOf[N]>;

/** One handler for each call, in main. */
export type Handlers = { [N in CallName]: HandlerOf<TypesOf[N]> };

/** How main reads an input: the value, or the first problem. */
type Reader<T extends CallTypes> = (
  input: unknown,
) => { success: true; data: T['input'] } | { success: false; error: z.ZodError };
const specs: { [N in CallName]: { input: { safeParse: Reader<TypesOf[N]> } } } = calls;

/** True for a name of the contract. Uses `Object.hasOwn`, so `toString` is not one. */
export function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name);
}

/**
 * Checks `input` against the schema of `name` and runs its handler. An invalid input is a `refused` failure with the
 * field.
 */
export async function dispatch<N extends CallName>(
  handlers: Pick<Handlers, N>,
  name: N,
  input: unknown,
  from: Caller,
): Promise<Result<CallOutput<N>>> {
  const handler: HandlerOf<TypesOf[N]> = handlers[name];
  const read = specs[name].input.safeParse(input);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return {
      ok: false,
      failure: {
        kind: 'refused',
        message: issue?.message ?? 'The input is not valid',
        ...(field === '' ? {} : { field }),
      },
    };
  }
  return handler(read.data, from);
}

/** The window's side. Preload exposes it as `window.bridge`. */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Result<CallOutput<N>>>;
  /** Returns the function that ends the subscription. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
}

/** Sent down a stream's port. The window answers `{ credit: n }` for each message it has drawn. */
export type StreamMessage =
  | { kind: 'chunks'; chunks: StreamChunk[] }
  /** The stored chunks have changed and have other places: all must be read again. */
  | { kind: 'replaced' }
  | { kind: 'ended'; status: string | null }
  | { kind: 'attempt'; attempt: number };

/** Data of the window message that carries a stream's port. */
export interface PortMessage {
  jobdeckPort: string;
}
