import type { Health } from '../../src-preload/health.ts';
import type { ServiceFailure, Result } from '../../src-preload/failure.ts';
import type { AuthorizationForm } from '../../src-preload/connection.ts';
import type { JobStatus } from '../../src-preload/job.ts';
import type { PodInclude, PodReply } from '../../src-preload/pod.ts';
import type { TemplateReply, TemplateUpdate } from '../../src-preload/template.ts';

/** Where and as whom requests go. The key is asked for at the moment of use and never stored here. */
export interface ServiceTarget {
  /** Normalised: no slash at the end, without /v2 (ruling 28). */
  baseUrl: string;
  /** Normalised, without /v1; null when management is not used. */
  restUrl: string | null;
  authorization: AuthorizationForm;
  /** The key for requests to this origin; null where none is kept for it. */
  readKey: (origin: string) => Promise<string | null>;
}

/** One HTTP exchange as it went, for the request log. Holds no headers and no key. */
export interface Exchange {
  atMs: number;
  method: 'GET' | 'POST';
  operation: string;
  /** Path and query as sent. */
  path: string;
  httpStatus: number | null;
  tookMs: number;
  bytesReceived: number;
  /** In how many places the reply repeated a secret, which was taken out; absent where in none. */
  hiddenSecrets?: number;
}

/** Every operation answers what came and how it went. */
export interface Reply<T> {
  result: Result<T, ServiceFailure>;
  exchange: Exchange;
  /**
   * What stood whole in a good reply that broke off or could not be read; only of operations whose replies come but
   * once.
   */
  salvaged?: T;
  /** Of one that was beyond the limits: how it began, so that it is known again. */
  beginning?: string;
}

/** spec: Job record, read tolerantly. Absent fields are null; the raw text is kept. */
export interface JobRecord {
  id: string;
  status: JobStatus;
  /** JSON text of `output`; null when the field is absent. `output: null` is the text "null". */
  outputJson: string | null;
  /** Text of `error` (JSON text when it is not a string); null when absent. */
  errorText: string | null;
  delayTimeMs: number | null;
  executionTimeMs: number | null;
  workerId: string | null;
  /** Fields the specification does not name. */
  extra: Record<string, unknown>;
  raw: string;
}

/** spec: Stream chunk. Both reply shapes end here (ruling 1). */
export interface StreamReply {
  /** Only the wrapped shape carries one. */
  status: JobStatus | null;
  chunks: { outputJson: string; metricsJson: string | null }[];
}

/** What an endpoint's health says; in `extra`, fields inside jobs and workers are `jobs.name` and `workers.name`. */
export type HealthRecord = Pick<Health, 'jobs' | 'workers' | 'extra'>;

export interface PurgeResult {
  removed: number;
  status: string;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Overrides the operation's own limit. */
  timeoutMs?: number;
  /** Secrets that stand in the body (the s3 accessSecret): taken out of every reply and failure. */
  secrets?: readonly string[];
  /**
   * An earlier reply was beyond the limits: one that does not say that it is within them is read only so far as to tell
   * (ruling 43).
   */
  isAfterBeyondLimits?: boolean;
  /** The same of a stream, whose replies may each come but once: only one that begins so is read no further. */
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
   * Triggers a rolling release of every endpoint of the template; fields left out may be reset to their defaults
   * (ruling 22).
   */
  updateTemplate(templateId: string, update: TemplateUpdate, options?: RequestOptions): Promise<Reply<TemplateReply>>;
}
