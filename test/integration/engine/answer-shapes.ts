import { z } from 'zod';
import { batchStates } from '../../../src-preload/batch.ts';
import type { Batch } from '../../../src-preload/batch.ts';
import type { CallName, CallOutput } from '../../../src-preload/contract.ts';
import { authorizationForm, connectionDraft, endpoint, s3ProfileDraft } from '../../../src-preload/connection-schema.ts';
import type { Connection, S3Profile } from '../../../src-preload/connection.ts';
import type { EndpointDiagnosis } from '../../../src-preload/diagnosis.ts';
import type { HealthPoint, HealthSeries, JobTimings } from '../../../src-preload/health.ts';
import { operation, policy, submissionDraft } from '../../../src-preload/job-schema.ts';
import type { Job } from '../../../src-preload/job.ts';
import { sandboxFault } from '../../../src-preload/sandbox-schema.ts';
import { settings } from '../../../src-preload/settings-schema.ts';

/** What each call's type says, as something that can be held against what really comes: every field, and none besides. */

const ms = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
const text = z.string();
const fields = z.record(text, z.unknown());

const state = z.union([
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('no-key') }),
  z.strictObject({ kind: z.literal('key-refused'), httpStatus: z.number(), path: text, sinceMs: ms }),
  z.strictObject({ kind: z.literal('offline'), sinceMs: ms, nextTryMs: ms.nullable(), message: text }),
]);
const connection: z.ZodType<Connection> = z.strictObject({
  ...connectionDraft.shape, id: text.min(1), authorization: authorizationForm, endpoints: z.array(endpoint), isSandbox: z.boolean(), hasKey: z.boolean(), state, createdAtMs: ms,
});
const s3Profile: z.ZodType<S3Profile> = z.strictObject({ ...s3ProfileDraft.shape, id: text.min(1), hasSecret: z.boolean() });

const jobObject = z.strictObject({
  key: text.length(26),
  jobId: text.nullable(),
  connectionId: text,
  baseUrl: z.url(),
  endpointId: text,
  operation,
  title: text.min(1),
  tags: z.array(text),
  phase: z.enum(['waiting', 'submitting', 'outcome-unknown', 'refused', 'active', 'finished', 'gone']),
  status: text.nullable(),
  goneReason: z.enum(['expired', 'purged', 'unknown-endpoint', 'sandbox-restarted']).nullable(),
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
  note: text.nullable(),
  lastCheckedAtMs: ms.nullable(),
  requestCount: count,
  isStarred: z.boolean(),
  isSeen: z.boolean(),
  isCancelling: z.boolean(),
  batchId: text.nullable(),
  batchRow: count.min(1).nullable(),
});
/** A job, field by field. */
export const jobShape: z.ZodType<Job> = jobObject;

const batch: z.ZodType<Batch> = z.strictObject({
  id: text.length(26), name: text.min(1), connectionId: text, endpointId: text, operation, createdAtMs: ms, total: count.min(1), isPaused: z.boolean(), counts: z.record(z.enum(batchStates), count),
});
const batchSubmission = z.strictObject({ kind: z.literal('taken'), batch });

const attempt = z.strictObject({
  number: count.min(1), startedAtMs: ms, status: text.nullable(), delayTimeMs: ms.nullable(), executionTimeMs: ms.nullable(), workerId: text.nullable(), errorText: text.nullable(),
  hasOutput: z.boolean(), outputBytes: count, chunkCount: count, finishedSeenAtMs: ms.nullable(),
});
const healthPoint: z.ZodType<HealthPoint> = z.strictObject({
  atMs: ms, spanMs: ms, inQueue: count, mostInQueue: count, inProgress: count, running: count, idle: count,
  initializing: count.nullable(), ready: count.nullable(), throttled: count.nullable(), unhealthy: count.nullable(), completed: count, failed: count, retried: count,
});
const healthSeries: z.ZodType<HealthSeries> = z.strictObject({ connectionId: text, endpointId: text, points: z.array(healthPoint) });
const percentiles = z.strictObject({ p50Ms: ms, p90Ms: ms, p95Ms: ms, p99Ms: ms }).nullable();
const jobTimings: z.ZodType<JobTimings> = z.strictObject({ endpointId: text, count, delay: percentiles, execution: percentiles });
const endpointDiagnosis: z.ZodType<EndpointDiagnosis> = z.strictObject({
  connectionId: text, endpointId: text, atMs: ms, mutedUntilMs: ms.nullable(),
  findings: z.array(z.strictObject({
    kind: z.enum(['no-workers', 'cold-start', 'throttled', 'all-busy', 'crash-looping', 'outlives-ttl', 'near-timeout', 'results-expiring']), severity: z.enum(['notice', 'warning', 'critical']),
    headline: text.min(1), explanation: text.min(1), condition: z.strictObject({ condition: text, likelyCause: text }).nullable(), evidence: z.array(text), tryNext: z.array(text), sinceMs: ms.nullable(),
  })),
});
const bodyText = z.strictObject({ text, bytes: count, isCut: z.boolean() });
const chunk = z.strictObject({ seq: count, outputJson: text, metricsJson: text.nullable(), receivedAtMs: ms });
const request = z.strictObject({
  id: count, atMs: ms, method: z.enum(['GET', 'POST']), operation: text, path: text.startsWith('/v2/'), httpStatus: z.number().nullable(), tookMs: z.number().nonnegative(), bytesReceived: count,
  failureKind: text.nullable(), note: text.nullable(),
});
const health = z.strictObject({
  endpointId: text, connectionId: text, atMs: ms,
  jobs: z.strictObject({ completed: count, failed: count, inProgress: count, inQueue: count, retried: count }),
  workers: z.strictObject({
    idle: count, running: count, initializing: count.exactOptional(), ready: count.exactOptional(), throttled: count.exactOptional(), unhealthy: count.exactOptional(),
  }),
  extra: fields,
});
const trend = z.strictObject({
  endpointId: text, connectionId: text, samples: z.array(z.strictObject({ atMs: ms, inQueue: count, inProgress: count, running: count, idle: count })),
});
const budget = z.strictObject({
  connectionId: text, endpointId: text, operation: text, spent: count, allowed: z.number(), limit: z.number(), heldUntilMs: ms.nullable(), backoffStep: count, reason: text.nullable(),
});
const tracker = z.strictObject({
  isPaused: z.boolean(), tracked: count, waitingToSend: count, outcomeUnknown: count, nextLookAtMs: ms.nullable(), lastSyncAtMs: ms.nullable(),
  connections: z.array(z.strictObject({ connectionId: text, state })), budgets: z.array(budget),
});
const sandbox = z.strictObject({ isRunning: z.boolean(), baseUrl: z.url().nullable(), restUrl: z.url().nullable(), endpoints: z.array(text), problem: text.nullable(), timeScale: z.number(), faults: z.array(sandboxFault) });
const sandboxRequest = z.strictObject({
  seq: count.min(1), atMs: ms, durationMs: z.number().nonnegative(), method: text, operation: text, endpointId: text.nullable(), jobId: text.nullable(), status: count, requestBytes: count, replyBytes: count, fault: text.nullable(),
});
const notice = z.strictObject({ id: text, tone: z.enum(['info', 'warning', 'error']), title: text, text, atMs: ms, path: text.nullable() });
const check = z.strictObject({ endpointId: text, method: z.literal('GET'), path: text.startsWith('/v2/'), httpStatus: z.number().nullable(), tookMs: z.number().nonnegative(), problem: text.nullable() });
const runTimes = z.strictObject({ endpointId: text, count, executionP50Ms: z.number().nullable(), executionP95Ms: z.number().nullable(), delayP95Ms: z.number().nullable() });

export const answerShapes: { [N in CallName]: z.ZodType<CallOutput<N>> } = {
  'app:info': z.strictObject({
    version: text, runtime: z.enum(['electron', 'stand-in']), platform: z.enum(['darwin', 'win32', 'linux']),
    keyStorage: z.strictObject({ kind: z.enum(['keychain', 'safe-storage', 'session']), explanation: text.min(20) }), notices: z.array(notice), isFirstRun: z.boolean(),
  }),
  'app:openExternal': z.null(),
  'app:copyText': z.null(),
  'app:copySandboxEnvironment': z.null(),
  'app:showPath': z.null(),
  'notice:dismiss': z.null(),
  'settings:get': settings.strict(),
  'settings:change': settings.strict(),
  'window:minimize': z.null(),
  'window:toggleMaximize': z.null(),
  'window:close': z.null(),
  'window:openJob': z.null(),
  'window:openSandbox': z.null(),
  'window:openResource': z.null(),
  'health:series': z.array(healthSeries),
  'health:timings': z.array(jobTimings),
  'health:diagnoses': z.array(endpointDiagnosis),
  'health:mute': endpointDiagnosis,
  'connection:list': z.array(connection),
  'connection:save': z.strictObject({ connection, notes: z.array(text) }),
  'connection:remove': z.null(),
  'connection:setKey': z.null(),
  'connection:deleteKey': z.null(),
  'connection:test': z.array(check),
  'connection:addEndpoint': connection,
  'connection:removeEndpoint': connection,
  'connection:openSandbox': connection,
  's3:list': z.array(s3Profile),
  's3:save': s3Profile,
  's3:remove': z.null(),
  'sandbox:state': sandbox,
  'sandbox:stop': sandbox,
  'sandbox:setTimeScale': sandbox,
  'sandbox:setFaults': sandbox,
  'sandbox:watch': z.null(),
  'sandbox:requests': z.strictObject({ requests: z.array(sandboxRequest).min(1), missed: count, workers: z.array(z.strictObject({ endpointId: text, running: count, idle: count, starting: count, inQueue: count })) }),
  'webhook:state': z.strictObject({ isOn: z.boolean(), url: z.url().nullable(), calls: count, lastCallAtMs: ms.nullable(), problem: text.nullable() }),
  'job:adopt': z.array(jobObject).length(2),
  'job:claim': jobObject,
  'job:submit': jobObject,
  'job:list': z.strictObject({ jobs: z.array(jobObject), nextBeforeKey: text.nullable(), total: count, allTotal: count, snippets: z.record(text, text) }),
  'job:counts': z.strictObject({
    all: count, active: count, finishedToday: count, failedUnseen: count, failed: count, starred: count, failedUnseenByEndpoint: z.record(text, count), savedBytes: count.positive(),
  }),
  'job:get': z.strictObject({
    job: jobObject, attempts: z.array(attempt).min(1), webhook: text.nullable(), waitMs: ms.nullable(), s3ProfileId: text.nullable(),
    error: z.strictObject({ summary: text, type: text.nullable(), traceback: text.nullable(), raw: text }).nullable(), extraFields: fields,
  }),
  'job:body': bodyText,
  'job:chunks': z.array(chunk),
  'job:requests': z.array(request),
  'job:runTimes': z.array(runTimes),
  'job:cancel': jobObject,
  'job:retry': jobObject,
  'job:resubmit': jobObject,
  'job:draft': submissionDraft.strict(),
  'job:extendTtl': jobObject,
  'job:checkNow': z.null(),
  'job:watch': z.null(),
  'job:markSeen': z.null(),
  'job:star': z.null(),
  'job:tag': jobObject,
  'job:curl': z.strictObject({ command: text.startsWith('curl ') }),
  'batch:stage': z.null(),
  'batch:submit': batchSubmission,
  'batch:list': z.array(batch).min(1),
  'batch:pause': batch,
  'batch:resume': batch,
  'batch:withdraw': batch,
  'batch:submitFailed': batchSubmission,
  'batch:export': z.strictObject({ path: text.endsWith('.ndjson'), rows: z.literal(2) }).nullable(),
  'stream:subscribe': z.null(),
  'draft:load': z.strictObject({ text }).nullable(),
  'draft:keep': z.null(),
  'health:latest': z.strictObject({ health: z.array(health), trends: z.array(trend) }),
  'health:refresh': z.null(),
  'tracker:state': tracker,
  'tracker:pause': tracker,
  'tracker:resume': tracker,
  'tracker:tryNow': tracker,
};
