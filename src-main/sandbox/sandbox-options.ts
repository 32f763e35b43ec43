import { randomBytes } from 'node:crypto';
import { checkTimeScale, systemClock, type Clock } from './clock.ts';
import { BUILT_IN_ENDPOINTS, type EndpointDefinition, type Scaling } from './endpoint.ts';
import type { FaultRule } from './faults/faults.ts';
import { RUNSYNC_RETENTION_MS, type Dialect } from './specification.ts';
import type { HandlerLog } from './workers/start-handler-thread.ts';

/** Not written in `new URL(...)`: a bundler would copy the unbuilt source as an asset. */
const HANDLER_WORKER = './workers/handler-thread.ts';

export interface SandboxOptions {
  /** 0 (the default): a free port. */
  port?: number;
  /** Default: a random one. */
  apiKey?: string;
  dialect?: Dialect;
  /** The underlying clock. A test passes a virtual one. */
  clock?: Clock;
  /**
   * How many times faster than that clock the service's time runs (ttl, timeouts, retention, limits, cold starts,
   * pauses of the built-in handlers).
   */
  timeScale?: number;
  /** The handler threads' entry. It differs if the sandbox runs from a bundle. */
  workerUrl?: URL;
  endpoints?: readonly EndpointDefinition[];
  /** How long runsync results are kept, 1 to 300000 ms (spec: Limits). */
  syncRetentionMs?: number;
  /** Reads of stream repeat from the first chunk instead of draining (ruling 2). */
  isStreamReplayed?: boolean;
  /** Keeps jobs over restarts in this file; see state/state-file.ts. Null or absent: in memory. */
  stateFile?: string | null;
  /** False: no secret is written to the state file, so s3Config and changes of templates end with this run. */
  keepsSecrets?: boolean;
  /**
   * What happens to template settings with a default that an update leaves out: they are `reset` to it (the default) or
   * `keep` their value (ruling 22).
   */
  templateOmitted?: 'reset' | 'keep';
  /** How the workers of all endpoints scale, if different from the endpoints' own. */
  scaling?: Partial<Scaling>;
  /** `off`: the table of rate limits is not enforced. */
  limits?: 'on' | 'off';
  /** For the dynamic rule (spec: Limits). 0 (the default) keeps the base limits. */
  requestsPerWorker?: number;
  /** The faults from the first request on. */
  faults?: readonly FaultRule[];
  /** Makes the randomness of fault rules repeatable. */
  faultSeed?: number;
  /** What handlers print. By default it is dropped. */
  onHandlerLog?: (log: HandlerLog) => void;
  /** A printed line that has no end yet, as far as it goes, after each write to it. By default it is dropped. */
  onBegunLine?: (log: HandlerLog) => void;
  /** Called with a sentence if the state file cannot be written, and with null when it can be again. */
  onStateTrouble?: (sentence: string | null) => void;
}

/** The options with all defaults filled in. */
export type Settings = Required<Omit<SandboxOptions, 'scaling'>> & Pick<SandboxOptions, 'scaling'>;

/** Throws a `RangeError` for an option out of bounds. */
export function settingsOf(options: SandboxOptions): Settings {
  const settings: Settings = {
    port: 0,
    apiKey: `sandbox-${randomBytes(18).toString('base64url')}`,
    dialect: 'spec',
    clock: systemClock,
    timeScale: 1,
    workerUrl: new URL(HANDLER_WORKER, import.meta.url),
    endpoints: BUILT_IN_ENDPOINTS,
    syncRetentionMs: RUNSYNC_RETENTION_MS.default,
    isStreamReplayed: false,
    stateFile: null,
    keepsSecrets: true,
    templateOmitted: 'reset',
    limits: 'on',
    requestsPerWorker: 0,
    faults: [],
    faultSeed: 1,
    onHandlerLog: () => undefined,
    onBegunLine: () => undefined,
    onStateTrouble: () => undefined,
    ...options,
  };
  const { requestsPerWorker, syncRetentionMs, timeScale } = settings;
  checkTimeScale(timeScale);
  if (!Number.isInteger(requestsPerWorker) || requestsPerWorker < 0)
    throw new RangeError('The requests per worker must be a whole number from 0.');
  if (!Number.isInteger(syncRetentionMs) || syncRetentionMs < 1 || syncRetentionMs > RUNSYNC_RETENTION_MS.max)
    throw new RangeError(`The retention of runsync results must be 1 to ${RUNSYNC_RETENTION_MS.max} ms.`);
  return settings;
}
