import { isObject, type Checked } from '../checked.ts';
import { TIME_SCALE, type ScaledClock } from '../clock.ts';
import { SCALING_MAX, scalingProblem, type Scaling } from '../endpoint.ts';
import { checkFaultRule, readFaultText } from '../faults/fault-check.ts';
import type { Faults, FaultRule } from '../faults/faults.ts';
import { errorReply, okReply, type EchoText, type Reply } from '../http/reply.ts';
import { readJsonText } from '../http/request-body.ts';
import type { JobCounts } from '../queue/job-book.ts';
import type { Queue } from '../queue/queue.ts';
import type { Transition, TransitionLog } from '../queue/job-record.ts';
import type { WebhookAttempt } from '../queue/webhook.ts';
import type { Dialect } from '../specification.ts';
import type { WorkerInfo } from '../workers/one-worker.ts';
import type { WorkerCounts } from '../workers/worker-pool.ts';
import type { AreaHandler, AreaRequest } from './request-handling.ts';
import type { RequestCount, RequestCounters, RequestLog } from './request-log.ts';

/** `GET /_sandbox/stats[?since=SEQ]`. */
export interface Stats {
  /** The service's time, epoch milliseconds. */
  now: number;
  timeScale: number;
  dialect: Dialect;
  requests: RequestCount[];
  /** From `since` on, oldest first, at most 10,000. The rest follows with `since` = `nextSeq`. */
  transitions: Transition[];
  /** The oldest transition that is kept. Larger than `since` if some were dropped. */
  firstSeq: number;
  /** The `since` of the next request. */
  nextSeq: number;
  webhooks: WebhookAttempt[];
  /** Why the state file could not be written the last time. Null if it could, or there is none. */
  stateTrouble: string | null;
  workers: EndpointWorkers[];
}

interface EndpointWorkers {
  endpointId: string;
  version: number;
  scaling: Scaling;
  jobs: JobCounts;
  counts: WorkerCounts;
  workers: WorkerInfo[];
}

export interface ControlOptions {
  clock: ScaledClock;
  dialect: Dialect;
  queues: ReadonlyMap<string, Queue>;
  faults: Faults;
  counters: RequestCounters;
  requestLog: RequestLog;
  transitions: TransitionLog;
  webhookAttempts(): WebhookAttempt[];
  stateTrouble(): string | null;
  echo: EchoText;
}

type Answer = Promise<Reply | null> | Reply;
type Method = 'GET' | 'PUT' | 'DELETE';
type Resource = Partial<Record<Method, (request: AreaRequest) => Answer>>;

const BODY_MAX_BYTES = 2 ** 20;
const MOST_TRANSITIONS = 10_000;
const MOST_RULES = 1_000;

function json(value: unknown): Reply {
  return okReply(JSON.stringify(value));
}

/** `?since=`: the first number that is wanted. By default all that are kept. */
function checkSince(query: URLSearchParams): Checked<number> {
  const given = query.getAll('since');
  const [raw = '1'] = given;
  if (given.length < 2 && /^\d{1,15}$/.test(raw)) return { ok: true, value: Math.max(1, Number(raw)) };
  return { ok: false, message: 'since must be a whole number, given once.' };
}

/** Rules as an array or as `{faults: [...]}`, each an object or a text as on the command line. */
function checkRules(value: unknown): Checked<FaultRule[]> {
  const list = isObject(value) ? value['faults'] : value;
  if (!Array.isArray(list))
    return { ok: false, message: 'The body must be an array of faults, or an object with the key faults.' };
  if (list.length > MOST_RULES) return { ok: false, message: `There can be at most ${MOST_RULES} faults.` };
  const rules: FaultRule[] = [];
  for (const [index, entry] of list.entries()) {
    const rule = typeof entry === 'string' ? readFaultText(entry) : checkFaultRule(entry);
    if (!rule.ok) return { ok: false, message: `Fault ${index + 1}: ${rule.message}` };
    rules.push(rule.value);
  }
  return { ok: true, value: rules };
}

function checkTimeScale(value: unknown): Checked<number> {
  const timeScale = isObject(value) ? value['timeScale'] : undefined;
  if (typeof timeScale === 'number' && timeScale >= TIME_SCALE.min && timeScale <= TIME_SCALE.max)
    return { ok: true, value: timeScale };
  return { ok: false, message: `timeScale must be a number from ${TIME_SCALE.min} to ${TIME_SCALE.max}.` };
}

function isScalingField(name: string): name is keyof Scaling {
  return Object.hasOwn(SCALING_MAX, name);
}

function checkScaling(value: unknown): Checked<Partial<Scaling>> {
  if (!isObject(value)) return { ok: false, message: 'The body must be a JSON object.' };
  const change: Partial<Scaling> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (!isScalingField(name))
      return {
        ok: false,
        message: `The workers of an endpoint have only the fields ${Object.keys(SCALING_MAX).join(', ')}.`,
      };
    if (typeof entry !== 'number')
      return { ok: false, message: `${name} must be a whole number from 0 to ${SCALING_MAX[name]}.` };
    change[name] = entry;
  }
  const problem = scalingProblem(change);
  return problem === null ? { ok: true, value: change } : { ok: false, message: problem };
}

/** Reads a JSON body and, if it is valid, passes it on. */
async function withBody<T>(
  request: AreaRequest,
  check: (value: unknown) => Checked<T>,
  act: (value: T) => Reply,
): Promise<Reply | null> {
  const body = await readJsonText(request, BODY_MAX_BYTES);
  if (body === null) return null;
  if (!body.ok) return errorReply(400, body.message);
  let value: unknown;
  try {
    value = JSON.parse(body.value);
  } catch {
    return errorReply(400, 'The body is not valid JSON.');
  }
  const checked = check(value);
  return checked.ok ? act(checked.value) : errorReply(400, checked.message);
}

function workersOf(endpointId: string, queue: Queue): EndpointWorkers {
  return {
    endpointId,
    version: queue.version(),
    scaling: queue.scaling(),
    jobs: queue.jobCounts(),
    counts: queue.workerCounts(),
    workers: queue.workers(),
  };
}

function statsSince(since: number, options: ControlOptions): Stats {
  const { clock, dialect, queues, counters, transitions, webhookAttempts, stateTrouble } = options;
  const kept = transitions.all();
  const firstSeq = kept[0]?.seq ?? 1;
  const from = Math.max(0, since - firstSeq);
  const page = kept.slice(from, from + MOST_TRANSITIONS);
  return {
    now: clock.now(),
    timeScale: clock.timeScale(),
    dialect,
    requests: counters.all(),
    transitions: page,
    firstSeq,
    nextSeq: ((page.at(-1) ?? kept.at(-1))?.seq ?? 0) + 1,
    webhooks: webhookAttempts(),
    stateTrouble: stateTrouble(),
    workers: [...queues].map(([endpointId, queue]) => workersOf(endpointId, queue)),
  };
}

/**
 * The control interface under `/_sandbox`, which is not part of the specified service: what happened so far, and
 * faults, speed and workers while it runs. Its calls need the key; faults and limits do not affect them.
 */
export function createControl(options: ControlOptions): AreaHandler {
  const { clock, queues, faults, requestLog, echo } = options;
  const faultsNow = (): Reply => json({ faults: faults.rules(), hits: faults.hits() });
  const timeScaleNow = (): Reply => json({ timeScale: clock.timeScale() });

  const resources: Record<string, Resource> = {
    stats: {
      GET: ({ query }) => {
        const since = checkSince(query);
        return since.ok ? json(statsSince(since.value, options)) : errorReply(400, since.message);
      },
    },
    requests: {
      GET: ({ query }) => {
        const since = checkSince(query);
        if (!since.ok) return errorReply(400, since.message);
        const entries = requestLog.since(since.value - 1);
        return json({ requests: entries, nextSeq: (entries.at(-1)?.seq ?? requestLog.lastSeq()) + 1 });
      },
    },
    faults: {
      GET: faultsNow,
      PUT: (request) =>
        withBody(request, checkRules, (rules) => {
          faults.set(rules);
          return faultsNow();
        }),
      DELETE: () => {
        faults.set(null);
        return faultsNow();
      },
    },
    'time-scale': {
      GET: timeScaleNow,
      PUT: (request) =>
        withBody(request, checkTimeScale, (timeScale) => {
          clock.setTimeScale(timeScale);
          return timeScaleNow();
        }),
    },
  };

  function workersResource(endpointId: string): Resource | null {
    const queue = queues.get(endpointId);
    if (queue === undefined) return null;
    return {
      GET: () => json(workersOf(endpointId, queue)),
      PUT: (request) =>
        withBody(request, checkScaling, (change) => {
          queue.setScaling(change);
          return json(workersOf(endpointId, queue));
        }),
    };
  }

  function find([name = '', id, part, ...extra]: readonly string[]): Resource | Reply {
    if (name === 'endpoints' && id !== undefined && part === 'workers' && extra.length === 0) {
      return workersResource(id) ?? errorReply(404, `No endpoint ${echo(id)} here.`);
    }
    const resource = id === undefined && Object.hasOwn(resources, name) ? resources[name] : undefined;
    return resource ?? errorReply(404, 'The control interface serves nothing at this path.');
  }

  return {
    handle: (request) => {
      const resource = find(request.path);
      if ('status' in resource) return resource;
      const methods = (['GET', 'PUT', 'DELETE'] as const).filter((method) => resource[method] !== undefined);
      const method = methods.find((name) => name === request.method);
      return (
        (method === undefined ? undefined : resource[method]?.(request)) ??
        errorReply(400, `This is called with ${methods.join(' or ')}.`)
      );
    },
  };
}
