import { backupShapes } from './backup-shapes.ts';
import { binShapes } from './bin-shapes.ts';
import { batchTableShapes } from './batch-table-shapes.ts';
import { jobReason } from '../../../src-main/history/jobs/job-row.ts';
import { z } from 'zod';
import { mark, operation, policy, submissionDraft } from '../../../src-preload/job-schema.ts';
import { failureShapes } from './failure-shapes.ts';
import { alertOverview, alertRecord } from './alert-shapes.ts';
import { batchStates, type Batch } from '../../../src-preload/batch.ts';
import type { CallName, CallOutput } from '../../../src-preload/contract.ts';
import {
  authorizationForm,
  connectionDraft,
  endpoint,
  s3ProfileDraft,
} from '../../../src-preload/connection-schema.ts';
import type { Connection, S3Profile } from '../../../src-preload/connection.ts';
import type { Failure } from '../../../src-preload/failure.ts';
import type { EndpointDiagnosis } from '../../../src-preload/diagnosis.ts';
import type { HealthPoint, HealthSeries, JobTimings } from '../../../src-preload/health.ts';
import type { KnownPod, RememberedPod } from '../../../src-preload/pod-reading.ts';
import { podInclude } from '../../../src-preload/pod-calls.ts';
import type { Job } from '../../../src-preload/job.ts';
import { sandboxFault } from '../../../src-preload/sandbox-schema.ts';
import { settings } from '../../../src-preload/settings-schema.ts';
import { templateEdits } from '../../../src-preload/template-schema.ts';
import { updatableFields } from '../../../src-preload/template.ts';
import { costSum, endpointCost } from './cost-shapes.ts';
import { desktopAnswers, keyStorage, ongoing } from './desktop-shapes.ts';
import { learnedInputs } from './learned-shape.ts';
import { connectionState as state, tracker } from './tracker-shapes.ts';

/** Each call's type as a schema that real answers are checked against: every field, and no others. */

const ms = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
const activeCounts = { running: count, queued: count, sending: count, toSend: count, unknown: count, over: count };
const jobCounts = z.strictObject({
  ...activeCounts,
  all: count,
  active: count,
  finishedToday: count,
  failedUnseen: count,
  failed: count,
  starred: count,
  byEndpoint: z.record(z.string(), z.strictObject({ ...activeCounts, failedUnseen: count })),
});
const allJobCounts = z.strictObject({
  revision: count.positive(),
  all: jobCounts,
  byConnection: z.record(z.string(), jobCounts),
  savedBytes: count.positive(),
});
const text = z.string();
const fields = z.record(text, z.unknown());

const plainHttp = z.array(
  z.strictObject({ origin: z.url(), host: text.min(1), carries: text.min(1), isAgreed: z.boolean() }),
);
const connection: z.ZodType<Connection> = z.strictObject({
  ...connectionDraft.omit({ plainHttpOrigins: true }).shape,
  plainHttp,
  id: text.min(1),
  authorization: authorizationForm,
  endpoints: z.array(endpoint),
  isSandbox: z.boolean(),
  hasKey: z.boolean(),
  state,
  createdAtMs: ms,
});
const s3Profile: z.ZodType<S3Profile> = z.strictObject({
  ...s3ProfileDraft.shape,
  id: text.min(1),
  hasSecret: z.boolean(),
});

const jobObject = z.strictObject({
  key: text.length(26),
  jobId: text.nullable(),
  connectionId: text,
  baseUrl: z.url(),
  endpointId: text,
  operation,
  title: text.min(1),
  tags: z.array(text),
  phase: z.enum(['waiting', 'submitting', 'outcome-unknown', 'refused', 'active', 'finished', 'gone', 'orphaned']),
  status: text.nullable(),
  goneReason: z.enum(['expired', 'purged', 'unknown-endpoint', 'sandbox-restarted', 'too-large']).nullable(),
  attempt: count.min(1),
  createdAtMs: ms,
  acceptedAtMs: ms.nullable(),
  startedSeenAtMs: ms.nullable(),
  finishedSeenAtMs: ms.nullable(),
  delayTimeMs: ms.nullable(),
  executionTimeMs: ms.nullable(),
  policy: policy.strict(),
  ttlEndsAtMs: ms.nullable(),
  retentionEndsAtMs: ms.nullable(),
  inputBytes: count,
  outputBytes: count,
  isResultSaved: z.boolean(),
  isWithoutOutput: z.boolean(),
  chunkCount: count,
  reason: jobReason.nullable(),
  statusReadAtMs: ms.nullable(),
  requestCount: count,
  isStarred: z.boolean(),
  isSeen: z.boolean(),
  isCancelling: z.boolean(),
  batchId: text.nullable(),
  batchRow: count.min(1).nullable(),
  retryRequestedAtMs: ms.exactOptional(),
  outputForgottenAtMs: ms.exactOptional(),
  inputForgottenAtMs: ms.exactOptional(),
  retriedAtMs: ms.exactOptional(),
  notKnown: z.strictObject({ sinceMs: ms, times: count, lastAtMs: ms, nextTryMs: ms }).exactOptional(),
  pendingStream: z
    .strictObject({ sinceMs: ms, failures: count, nextTryMs: ms, untilMs: ms, reason: text })
    .exactOptional(),
  unreadReply: text.exactOptional(),
  formerStartsAtMs: z.array(ms).exactOptional(),
  originKey: text.exactOptional(),
  mark: mark.exactOptional(),
  label: text.min(1).exactOptional(),
  noteLine: text.exactOptional(),
});
/** A job, field by field. */
export const jobShape: z.ZodType<Job> = jobObject;

const batch: z.ZodType<Batch> = z.strictObject({
  id: text.length(26),
  name: text.min(1),
  connectionId: text,
  endpointId: text,
  operation,
  createdAtMs: ms,
  total: count.min(1),
  isPaused: z.boolean(),
  limits: z.strictObject({ maxLive: count.min(1).nullable(), stopAfterFailures: count.min(1).nullable() }),
  failuresLeft: count.nullable(),
  counts: z.record(z.enum(batchStates), count),
});
const batchSubmission = z.strictObject({ kind: z.literal('accepted'), batch });

const attempt = z.strictObject({
  number: count.min(1),
  startedAtMs: ms,
  status: text.nullable(),
  delayTimeMs: ms.nullable(),
  executionTimeMs: ms.nullable(),
  workerId: text.nullable(),
  errorText: text.nullable(),
  hasOutput: z.boolean(),
  outputBytes: count,
  chunkCount: count,
  finishedSeenAtMs: ms.nullable(),
});
const healthPoint: z.ZodType<HealthPoint> = z.strictObject({
  atMs: ms,
  spanMs: ms,
  inQueue: count,
  maxInQueue: count,
  inProgress: count,
  running: count,
  idle: count,
  initializing: count.nullable(),
  ready: count.nullable(),
  throttled: count.nullable(),
  unhealthy: count.nullable(),
  completed: count,
  failed: count,
  retried: count,
});
const healthSeries: z.ZodType<HealthSeries> = z.strictObject({
  connectionId: text,
  endpointId: text,
  points: z.array(healthPoint),
});
const percentiles = z.strictObject({ p50Ms: ms, p90Ms: ms, p95Ms: ms, p99Ms: ms }).nullable();
const jobTimings: z.ZodType<JobTimings> = z.strictObject({
  endpointId: text.nullable(),
  count,
  delay: percentiles,
  execution: percentiles,
});
const endpointDiagnosis: z.ZodType<EndpointDiagnosis> = z.strictObject({
  connectionId: text,
  endpointId: text,
  atMs: ms,
  mutedUntilMs: ms.nullable(),
  findings: z.array(
    z.strictObject({
      kind: z.enum([
        'no-workers',
        'cold-start',
        'throttled',
        'all-busy',
        'crash-looping',
        'outlives-ttl',
        'near-timeout',
        'results-expiring',
      ]),
      severity: z.enum(['notice', 'warning', 'critical']),
      headline: text.min(1),
      explanation: text.min(1),
      condition: z.strictObject({ condition: text, likelyCause: text }).nullable(),
      evidence: z.array(text),
      tryNext: z.array(text),
      sinceMs: ms.nullable(),
      waited: z.strictObject({ before: text, sinceMs: ms, after: text }).exactOptional(),
    }),
  ),
});
const bodyText = z.strictObject({ text, bytes: count, isCut: z.boolean() });
const chunk = z.strictObject({ seq: count, outputJson: text, metricsJson: text.nullable(), receivedAtMs: ms });
const request = z.strictObject({
  id: count,
  atMs: ms,
  method: z.enum(['GET', 'POST']),
  operation: text,
  path: text.startsWith('/v2/'),
  httpStatus: z.number().nullable(),
  tookMs: z.number().nonnegative(),
  bytesReceived: count,
  failureKind: text.nullable(),
  note: text.nullable(),
});
const health = z.strictObject({
  endpointId: text,
  connectionId: text,
  atMs: ms,
  jobs: z.strictObject({ completed: count, failed: count, inProgress: count, inQueue: count, retried: count }),
  workers: z.strictObject({
    idle: count,
    running: count,
    initializing: count.exactOptional(),
    ready: count.exactOptional(),
    throttled: count.exactOptional(),
    unhealthy: count.exactOptional(),
  }),
  extra: fields,
});
const trend = z.strictObject({
  endpointId: text,
  connectionId: text,
  samples: z.array(z.strictObject({ atMs: ms, inQueue: count, inProgress: count, running: count, idle: count })),
});
const templateSource = z.union([
  z.strictObject({ kind: z.literal('update-reply') }),
  z.strictObject({ kind: z.literal('pod'), podId: text.min(1) }),
]);
const seq = count.min(1);
const templateRecord = z.strictObject({
  atMs: ms,
  changed: z.array(z.enum(updatableFields)).min(1),
  pinned: z.array(z.enum(updatableFields)),
  formerSeq: seq.nullable(),
  outcome: z.strictObject({
    kind: z.literal('applied'),
    seq,
    differences: z
      .array(z.strictObject({ field: z.enum(updatableFields), asked: text.nullable(), got: text.nullable() }))
      .max(0),
  }),
});
const templateView = z.strictObject({
  connectionId: text,
  templateId: text,
  isEnvLost: z.boolean(),
  isVaultLasting: z.boolean(),
  lastUpdate: templateRecord.nullable(),
  known: z
    .strictObject({
      seq,
      atMs: ms,
      seenAtMs: ms,
      source: templateSource,
      template: z.looseObject({ id: text.min(1), env: z.array(text) }),
      carriedAtMs: z.record(text, ms),
      oddFields: z.array(text),
    })
    .nullable(),
  history: z.array(z.strictObject({ seq, atMs: ms, source: templateSource })).min(1),
  uses: z.array(z.strictObject({ endpointId: text, podId: text, atMs: ms })),
  podIds: z.array(text).min(1),
  draft: z
    .strictObject({
      baseSeq: seq.nullable(),
      edits: templateEdits,
      savedAtMs: ms,
      lostEnv: z.array(text),
      pastedEnv: text.optional(),
      isPasteLost: z.boolean(),
    })
    .nullable(),
});
const templateSummary = z.strictObject({
  connectionId: text,
  templateId: text,
  name: text.nullable(),
  imageName: text.nullable(),
  category: text.nullable(),
  isServerless: z.boolean().nullable(),
  isRunpod: z.boolean().nullable(),
  seenAtMs: ms.nullable(),
  source: templateSource.nullable(),
  endpointIds: z.array(text),
  hasDraft: z.boolean(),
  lastOutcome: z.enum(['pending', 'applied', 'refused', 'unknown']).nullable(),
  updatedAtMs: z.array(ms),
});
const sandbox = z.strictObject({
  isRunning: z.boolean(),
  baseUrl: z.url().nullable(),
  restUrl: z.url().nullable(),
  endpoints: z.array(text),
  pods: z.array(text),
  templates: z.array(text),
  problem: text.nullable(),
  timeScale: z.number(),
  faults: z.array(sandboxFault),
  handlers: z.array(z.strictObject({ endpointId: text, path: text })),
});
const printedText = { atMs: ms, stream: z.enum(['stdout', 'stderr']), text: z.string(), cutChars: count };
const jobPrintedLines = z.array(z.strictObject(printedText));
const sandboxRequest = z.strictObject({
  seq: count.min(1),
  atMs: ms,
  durationMs: z.number().nonnegative(),
  method: text,
  operation: text,
  endpointId: text.nullable(),
  jobId: text.nullable(),
  status: count,
  requestBytes: count,
  replyBytes: count,
  fault: text.nullable(),
});
const notice = z.strictObject({
  id: text,
  tone: z.enum(['info', 'warning', 'error']),
  title: text,
  text,
  atMs: ms,
  path: text.nullable(),
});
const check = z.strictObject({
  endpointId: text,
  method: z.literal('GET'),
  path: text.startsWith('/v2/'),
  httpStatus: z.number().nullable(),
  tookMs: z.number().nonnegative(),
  problem: text.nullable(),
});
const runTimes = z.strictObject({
  endpointId: text,
  count,
  executionP50Ms: z.number().nullable(),
  executionP95Ms: z.number().nullable(),
  delayP95Ms: z.number().nullable(),
});

const rememberedPod: z.ZodType<RememberedPod> = z.strictObject({
  connectionId: text,
  podId: text.min(1),
  name: text.nullable(),
  desiredStatus: text.nullable(),
  hardware: text.nullable(),
  adjustedCostPerHr: z.number().nullable(),
  isPinned: z.boolean(),
  openedAtMs: ms,
  readAtMs: ms,
});
const podChange = z.strictObject({
  field: text.min(1),
  kind: z.enum(['added', 'removed', 'changed']),
  from: text.nullable(),
  to: text.nullable(),
});
const podReply = z.strictObject({
  pod: z.looseObject({ id: text.min(1) }),
  workersJson: text.nullable(),
  extra: fields,
  oddFields: z.array(text),
  raw: text.min(2),
});
const knownPod: z.ZodType<KnownPod> = z.strictObject({
  connectionId: text,
  podId: text,
  isPinned: z.boolean(),
  hasValues: z.boolean(),
  changes: z.strictObject({ sinceMs: ms, changes: z.array(podChange) }).nullable(),
  reading: z
    .strictObject({
      readAtMs: ms,
      tookMs: z.number().nonnegative(),
      httpStatus: z.literal(200),
      bytesReceived: count,
      include: podInclude,
      path: text.startsWith('/v1/pods/'),
      reply: podReply,
    })
    .nullable(),
});

const failure = z.looseObject({ kind: text, message: text.min(1) });
const purgedJobs = z.array(z.strictObject({ key: text.length(26), title: text.min(1) }));
const allowance = z.strictObject({ used: count, of: z.literal(2), lockedUntilMs: ms.nullable() });
const purge = z.strictObject({
  id: text.min(1),
  connectionId: text,
  endpointId: text,
  startedAtMs: ms,
  expected: count.nullable(),
  tracked: count,
  purged: count,
  purgedJobs,
  undecided: count,
  submittedAgain: count,
  isDismissed: z.boolean(),
  outcome: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('under-way') }),
    z.strictObject({ kind: z.literal('removed'), atMs: ms, removed: count }),
    z.strictObject({ kind: z.literal('unknown'), atMs: ms, reason: text }),
    z.strictObject({
      kind: z.literal('refused'),
      atMs: ms,
      failure: z.custom<Failure>((value) => failure.safeParse(value).success),
    }),
  ]),
});
export const answerShapes: { [N in CallName]: z.ZodType<CallOutput<N>> } = {
  'app:info': z.strictObject({
    version: text,
    runtime: z.enum(['electron', 'stand-in']),
    platform: z.enum(['darwin', 'win32', 'linux']),
    keyStorage,
    notices: z.array(notice),
  }),
  'app:preparation': z
    .union([
      z.strictObject({ kind: z.enum(['upgrade', 'check']), jobs: count.nullable() }),
      z.strictObject({ kind: z.literal('sandbox') }),
    ])
    .nullable(),
  'notice:dismiss': z.null(),
  'storage:use': z.strictObject({
    totalBytes: count.min(1),
    bodyBytes: count,
    streamBytes: count,
    indexBytes: count,
    freeBytes: count,
    isGivenBack: z.boolean(),
  }),
  'storage:wouldForget': z.strictObject({ jobs: count, freedBytes: count, usedBytes: count }),
  'storage:clockDoubt': z
    .strictObject({ kind: z.enum(['moved-ahead', 'ahead-of-service', 'behind']), byMs: ms, nowMs: ms })
    .nullable(),
  'storage:confirmClock': z.null(),
  'storage:compact': z.strictObject({ beforeBytes: count.min(1), afterBytes: count.min(1) }),
  'settings:get': settings.strict(),
  'settings:change': settings.strict(),
  'health:series': z.array(healthSeries),
  'health:timings': z.array(jobTimings),
  'health:diagnoses': z.array(endpointDiagnosis),
  'health:mute': endpointDiagnosis,
  'connection:list': z.array(connection),
  'connection:save': z.strictObject({ connection, notes: z.array(text) }),
  'connection:remove': z.null(),
  'connection:deleteKey': z.null(),
  'connection:addressNeeds': z.strictObject({ key: text.nullable(), plainHttp: plainHttp.min(1) }),
  'connection:check': z.array(check),
  'connection:openSandbox': connection,
  's3:list': z.array(s3Profile),
  's3:save': s3Profile,
  's3:remove': z.null(),
  'sandbox:state': sandbox,
  'sandbox:stop': sandbox,
  'sandbox:setTimeScale': sandbox,
  'sandbox:setFaults': sandbox,
  'sandbox:removeHandler': sandbox,
  'sandbox:printed': z.strictObject({
    lines: z.array(
      z.strictObject({
        ...printedText,
        seq: count.min(1),
        endpointId: text,
        workerId: text,
        jobId: text.nullable(),
        isOpen: z.boolean(),
      }),
    ),
    missed: count,
  }),
  'sandbox:watch': z.null(),
  'sandbox:requests': z.strictObject({
    requests: z.array(sandboxRequest).min(1),
    missed: count,
    workers: z.array(
      z.strictObject({ endpointId: text, running: count, idle: count, starting: count, inQueue: count }),
    ),
  }),
  'webhook:state': z.strictObject({
    isOn: z.boolean(),
    url: z.url().nullable(),
    calls: count,
    lastCallAtMs: ms.nullable(),
    problem: text.nullable(),
    unknownJobs: z.array(z.strictObject({ jobId: text, atMs: ms })),
  }),
  'job:followExternal': z.array(jobObject).length(2),
  'job:confirmSubmission': jobObject,
  'job:submit': jobObject,
  'job:list': z.strictObject({
    jobs: z.array(jobObject),
    nextBeforeKey: text.nullable(),
    total: count,
    isTotalCut: z.boolean(),
    allTotal: count,
    snippets: z.record(text, text),
    counts: allJobCounts,
  }),
  'job:inputs': z.array(z.strictObject({ job: jobObject, runs: count.positive() })).min(1),
  'job:counts': allJobCounts,
  'job:get': z.strictObject({
    job: jobObject,
    attempts: z.array(attempt).min(1),
    webhook: text.nullable(),
    waitMs: ms.nullable(),
    s3ProfileId: text.nullable(),
    note: text,
    lineage: z.strictObject({
      origin: jobObject.nullable(),
      copies: z.array(jobObject),
      sameInput: z.strictObject({ jobs: z.array(jobObject), total: count }),
    }),
    error: z.strictObject({ summary: text, type: text.nullable(), traceback: text.nullable(), raw: text }).nullable(),
    alike: z.strictObject({ causeId: count, jobs: count.positive() }).exactOptional(),
    extraFields: fields,
  }),
  'job:body': bodyText,
  'job:chunks': z.array(chunk),
  'job:findChunks': z.strictObject({ seqs: z.array(count).min(1), nextSeq: count.positive(), isLast: z.boolean() }),
  'job:streamPage': z.strictObject({
    fromSeq: count,
    nextSeq: count.positive(),
    isLast: z.boolean(),
    firstReceivedAtMs: ms,
    digest: z.strictObject({
      text: text.min(1),
      lastChars: count,
      hasText: z.boolean(),
      outputTokens: z.array(count),
      inputTokens: z.array(count),
      arrivals: z.strictObject({ places: z.array(count), atMs: z.array(ms) }),
      jsonChars: count,
      media: z.tuple([]),
      run: z.null(),
      heldText: z.strictObject({ texts: z.tuple([]), atMs: z.tuple([]) }),
      heldBefore: z.literal('held'),
      metrics: z.strictObject({ values: z.record(text, z.array(z.number())), latest: fields.nullable() }),
    }),
  }),
  'job:requests': z.array(request),
  'job:printedLines': z.strictObject({ head: jobPrintedLines, dropped: count, tail: jobPrintedLines }).nullable(),
  'job:runTimes': z.array(runTimes),
  'job:cancel': jobObject,
  'job:withdraw': z.strictObject({ job: jobObject, isWithdrawn: z.literal(false) }),
  'job:retry': jobObject,
  'job:resubmit': jobObject,
  'job:draft': submissionDraft.strict(),
  'job:extendTtl': jobObject,
  'job:checkNow': z.null(),
  'job:stopWaiting': jobObject,
  'job:watch': z.null(),
  'job:markSeen': z.strictObject({ keys: z.array(text), atMs: z.number() }),
  'job:markUnseen': z.null(),
  'job:star': z.null(),
  'job:tag': jobObject,
  'job:rename': jobObject,
  'job:judge': jobObject,
  'job:note': jobObject,
  'job:learnedInputs': learnedInputs,
  'job:labels': z.array(text),
  'job:count': z.strictObject({ total: count.min(2), isTotalCut: z.literal(false) }),
  'job:keys': z.strictObject({ keys: z.array(text).min(2), isCut: z.literal(false) }),
  'job:some': z.array(jobObject).length(2),
  'job:tags': z.array(z.strictObject({ tag: text, jobs: z.number() })),
  ...failureShapes(jobObject),
  'job:dataset': z.strictObject({ text: text.min(1), jobs: count.positive() }),
  'job:export': z.strictObject({ path: text.endsWith('.csv'), jobs: z.literal(2) }).nullable(),
  ...backupShapes,
  ...binShapes(jobObject),
  'job:curl': z.strictObject({ command: text.startsWith('curl ') }),
  'job:code': z.strictObject({ code: text.startsWith('import json') }),
  'job:requestCode': z.strictObject({ code: text.startsWith('curl -X GET ') }),
  'batch:stage': z.null(),
  'batch:submit': batchSubmission,
  'batch:list': z.strictObject({ batches: z.array(batch).min(1), revision: z.int().min(1) }),
  ...batchTableShapes,
  'batch:pair': z.strictObject({
    at: z.literal(0),
    row: z.literal(1),
    keys: z.tuple([text, text]),
    total: z.literal(2),
    judged: z.literal(0),
    ahead: z.tuple([count, count]),
    firstUnjudged: z.literal(0),
  }),
  'batch:rename': batch,
  'batch:pause': batch,
  'batch:resume': batch,
  'batch:withdraw': batch,
  'batch:submitFailed': batchSubmission,
  'stream:subscribe': z.null(),
  'draft:load': z.strictObject({ text }).nullable(),
  'draft:save': z.null(),
  'health:latest': z.strictObject({
    health: z.array(health),
    trends: z.array(trend),
    failures: z.array(z.strictObject({ endpointId: text, message: text })),
  }),
  'health:refresh': z.null(),
  'health:watch': z.null(),
  'pod:list': z.array(rememberedPod).min(1),
  'pod:open': knownPod,
  'pod:read': knownPod,
  'pod:pin': z.null(),
  'pod:forget': z.null(),
  'pod:reveal': z.strictObject({ value: text.min(1) }),
  'pod:copyEnv': z.null(),
  'pod:openPort': z.null(),
  'pod:curl': z.strictObject({ command: text.startsWith('curl ') }),
  'purge:preview': z.strictObject({
    connectionId: text,
    endpointId: text,
    health: z.strictObject({ atMs: ms, jobs: health.shape.jobs }).nullable(),
    problem: z.null(),
    jobs: purgedJobs,
    tracked: count,
    unsent: count,
    sending: count,
    allowance,
  }),
  'purge:send': purge,
  'purge:log': z.strictObject({ purges: z.array(purge), allowance }),
  'purge:dismiss': z.null(),
  'purge:submitAgain': z.strictObject({ submitted: z.literal(1), failure: z.null() }),
  'cost:list': z.array(endpointCost).min(1),
  'cost:setRate': endpointCost,
  'cost:setLimits': endpointCost,
  'cost:ofFilter': z.strictObject({ ...costSum, newestOnly: count.nullable() }),
  'cost:ofEndpoint': z.strictObject({
    today: z.strictObject(costSum),
    days7: z.strictObject(costSum),
    days30: z.strictObject(costSum),
    jobP50: z.number().nullable(),
    jobCount: count,
  }),
  'alert:list': alertOverview,
  'alert:saveRule': alertOverview,
  'alert:removeRule': alertOverview,
  'alert:restoreRule': alertOverview,
  'alert:setOn': alertOverview,
  'alert:history': z.array(alertRecord).min(1),
  ...desktopAnswers,
  'notification:ongoing': z.array(ongoing.extend({ jobs: z.array(jobShape) })),
  'template:list': z.array(templateSummary).min(1),
  'template:view': templateView,
  'template:readFromPod': templateView,
  'template:reveal': z.strictObject({ value: z.literal('sandbox-jupyter') }),
  'template:saveDraft': z.null(),
  'template:update': templateRecord,
  'template:undo': z.strictObject({ edits: templateEdits, notRestorable: z.array(z.enum(updatableFields)).max(0) }),
  'template:forget': z.null(),
  'tracker:state': tracker,
  'tracker:pause': tracker,
  'tracker:resume': tracker,
  'tracker:tryNow': tracker,
};
