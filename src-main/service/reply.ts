import type { Health } from '../../src-preload/health.ts';
import type { ServiceFailure, Result } from '../../src-preload/failure.ts';
import type { AuthorizationForm } from '../../src-preload/connection.ts';
import type { JobStatus } from '../../src-preload/job.ts';
import type { PodInclude, PodReply } from '../../src-preload/pod.ts';
import type { TemplateReply, TemplateUpdate } from '../../src-preload/template.ts';

/** The operations of the queue, each with a budget of its own (spec: Limits). */
export type QueueOperation = 'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge-queue' | 'health';

/** The address and authorization of requests. The key is read at the moment of use and never stored here. */
export interface ServiceTarget {
  /** Normalised: no slash at the end, without /v2 (ruling 28). */
  baseUrl: string;
  /** Normalised, without /v1. Null if management is not used. */
  restUrl: string | null;
  authorization: AuthorizationForm;
  /** The key for requests to this origin, or null. */
  readKey: (origin: string) => Promise<string | null>;
}

/** One HTTP exchange, for the request log. Has no headers and no key. */
export interface Exchange {
  atMs: number;
  method: 'GET' | 'POST';
  operation: string;
  /** Path and query as sent. */
  path: string;
  httpStatus: number | null;
  tookMs: number;
  bytesReceived: number;
  /** In how many places the reply repeated a secret, which was removed. Absent if in none. */
  hiddenSecrets?: number;
  /** How many of the reply's numbers JSON does not know (NaN, Infinity), which were read as text. Absent if none. */
  namedNumbers?: number;
}

/** The result of every operation, and how it went. */
export interface Reply<T> {
  result: Result<T, ServiceFailure>;
  exchange: Exchange;
  /**
   * The complete parts of a successful reply that was cut off or could not be read. Only of operations whose replies
   * come only once.
   */
  salvaged?: T;
  /** For a reply that exceeded the limits: its beginning, so that it is recognised. */
  beginning?: string;
}

/** spec: Job record, read tolerantly. Absent fields are null. The raw text is kept. */
export interface JobRecord {
  id: string;
  status: JobStatus;
  /** JSON text of `output`. Null if the field is absent. `output: null` is the text "null". */
  outputJson: string | null;
  /** Text of `error` (JSON text if it is not a string). Null if absent. */
  errorText: string | null;
  delayTimeMs: number | null;
  executionTimeMs: number | null;
  workerId: string | null;
  /** JSON text of an object with the fields that the specification does not name, unchanged. Null if there is none. */
  extraJson: string | null;
  raw: string;
}

/** spec: Stream chunk. The result of both reply shapes (ruling 1). */
export interface StreamReply {
  /** Only the wrapped shape has one. */
  status: JobStatus | null;
  chunks: { outputJson: string; metricsJson: string | null }[];
}

/** An endpoint's health. In `extra`, fields inside jobs and workers are `jobs.name` and `workers.name`. */
export type HealthRecord = Pick<Health, 'jobs' | 'workers' | 'extra'>;

export interface PurgeResult {
  removed: number;
  status: string;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Overrides the operation's own limit. */
  timeoutMs?: number;
  /** Secrets in the body (the s3 accessSecret), which are removed from every reply and failure. */
  secrets?: readonly string[];
  /**
   * An earlier reply exceeded the limits. A reply that does not say that it is within them is read only as far as
   * necessary to decide (ruling 43).
   */
  isAfterBeyondLimits?: boolean;
  /** The same for a stream, whose replies may come only once: only one with this beginning is not read further. */
  beyondBeginning?: string | undefined;
}

/**
 * The eight queue operations (spec: Queue operations). Bodies are the exact JSON text to send. Nothing here retries.
 */
export interface QueueApi {
  run(endpointId: string, body: string, options?: RequestOptions): Promise<Reply<JobRecord>>;
  runsync(endpointId: string, body: string, waitMs: number | null, options?: RequestOptions): Promise<Reply<JobRecord>>;
  status(endpointId: string, jobId: string, options?: RequestOptions & { ttlMs?: number }): Promise<Reply<JobRecord>>;
  stream(endpointId: string, jobId: string, options?: RequestOptions): Promise<Reply<StreamReply>>;
  cancel(endpointId: string, jobId: string, options?: RequestOptions): Promise<Reply<JobRecord>>;
  retry(endpointId: string, jobId: string, options?: RequestOptions): Promise<Reply<JobRecord>>;
  purgeQueue(endpointId: string, options?: RequestOptions): Promise<Reply<PurgeResult>>;
  health(endpointId: string, options?: RequestOptions): Promise<Reply<HealthRecord>>;
}

/** The two management operations (spec: Management operations). Nothing here retries. */
export interface ManagementApi {
  getPod(podId: string, include: readonly PodInclude[], options?: RequestOptions): Promise<Reply<PodReply>>;
  /**
   * Triggers a rolling release of every endpoint of the template. Fields that are left out may be reset to their
   * defaults (ruling 22).
   */
  updateTemplate(templateId: string, update: TemplateUpdate, options?: RequestOptions): Promise<Reply<TemplateReply>>;
}
