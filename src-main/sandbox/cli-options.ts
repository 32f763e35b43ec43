import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuse, type Checked } from './checked.ts';
import { BUILT_IN_ENDPOINTS, DEFAULT_SCALING, HANDLER_ENDINGS, SCALING_MAX } from './endpoint.ts';
import type { EndpointDefinition, Scaling } from './endpoint.ts';
import { parseArgs } from 'node:util';
import { TIME_SCALE } from './clock.ts';
import { readFaultText } from './faults/fault-check.ts';
import type { FaultRule } from './faults/faults.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { DIALECTS, RUNSYNC_RETENTION_MS } from './specification.ts';

/** What is needed of the place where the command line was entered. */
export interface CliPlace {
  /** The folder for relative paths. */
  folder: string;
  isFile(path: string): boolean;
  /** The key from the environment, because other programs can read a command line. */
  environmentKey: string | undefined;
  /** Reads the first line of the input. */
  firstLine(): string;
}

type ScalingFlag = 'minWorkers' | 'maxWorkers' | 'coldStartMs' | 'idleTimeoutMs';

/** Safe in a path, in a header line of the log and on a command line. */
const ENDPOINT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const WORKERS_FIELDS = new Map<string, ScalingFlag>([
  ['min', 'minWorkers'],
  ['max', 'maxWorkers'],
  ['cold-start-ms', 'coldStartMs'],
  ['idle-timeout-ms', 'idleTimeoutMs'],
]);

interface EndpointFlags {
  /** `--handler ID=PATH`, any number of times. */
  handlers: readonly string[];
  /** `--workers ID:max=8,min=1,...`, any number of times. */
  workers: readonly string[];
  /** For all endpoints: `--min-workers` and similar. */
  scaling: Partial<Pick<Scaling, ScalingFlag>>;
}

function readHandler(text: string, { folder, isFile }: CliPlace): Checked<EndpointDefinition> {
  const equalsAt = text.indexOf('=');
  const id = text.slice(0, Math.max(0, equalsAt));
  if (!ENDPOINT_ID.test(id) || equalsAt === text.length - 1)
    return refuse(`--handler is written as ID=PATH, with an id of letters, digits, - and _; "${text}" is not.`);
  const path = resolve(folder, text.slice(equalsAt + 1));
  if (!isFile(path)) return refuse(`--handler ${id}: there is no file ${path}.`);
  if (!HANDLER_ENDINGS.includes(extname(path).slice(1).toLowerCase()))
    return refuse(`--handler ${id}: the file of a handler ends in .${HANDLER_ENDINGS.join(', .')}; ${path} does not.`);
  return { ok: true, value: { id, handler: { moduleUrl: pathToFileURL(path).href }, ...DEFAULT_SCALING } };
}

/** A whole number for a field of the scaling, within its bounds. */
function readScalingNumber(flag: string, field: ScalingFlag, raw: string): Checked<number> {
  const value = Number(raw);
  if (/^\d+$/.test(raw) && value <= SCALING_MAX[field]) return { ok: true, value };
  return refuse(`${flag} must be a whole number from 0 to ${SCALING_MAX[field]}, not "${raw}".`);
}

function readWorkers(text: string): Checked<{ id: string; change: Partial<Scaling> }> {
  const [id = '', list = '', ...extra] = text.split(':');
  if (id === '' || list === '' || extra.length > 0)
    return refuse(`--workers is written as ID:max=8,min=1, not "${text}".`);
  const change: Partial<Scaling> = {};
  for (const part of list.split(',')) {
    const [name = '', raw = ''] = part.split(/=(.*)/s);
    const field = WORKERS_FIELDS.get(name.trim());
    if (field === undefined)
      return refuse(
        `--workers ${id} takes ${[...WORKERS_FIELDS.keys()].join(', ')}, each with =NUMBER, not "${part}".`,
      );
    const value = readScalingNumber(`--workers ${id}: ${name.trim()}`, field, raw.trim());
    if (!value.ok) return value;
    change[field] = value.value;
  }
  return { ok: true, value: { id, change } };
}

/** The endpoints of the command line: the built-in ones and the handlers, each with its scaling. */
function readEndpoints({ handlers, workers, scaling }: EndpointFlags, place: CliPlace): Checked<EndpointDefinition[]> {
  const endpoints = new Map(BUILT_IN_ENDPOINTS.map((endpoint) => [endpoint.id, { ...endpoint, ...scaling }]));
  for (const text of handlers) {
    const handler = readHandler(text, place);
    if (!handler.ok) return handler;
    const { id } = handler.value;
    if (endpoints.has(id)) return refuse(`--handler ${id}: there is an endpoint ${id} already.`);
    endpoints.set(id, { ...handler.value, ...scaling });
  }
  for (const text of workers) {
    const read = readWorkers(text);
    if (!read.ok) return read;
    const { id, change } = read.value;
    const endpoint = endpoints.get(id);
    if (endpoint === undefined)
      return refuse(`--workers ${id}: there is no endpoint ${id}, only ${[...endpoints.keys()].join(', ')}.`);
    endpoints.set(id, { ...endpoint, ...change });
  }
  const unsound = [...endpoints.values()].find(({ minWorkers, maxWorkers }) => minWorkers > maxWorkers);
  if (unsound !== undefined)
    return refuse(
      `Endpoint ${unsound.id} would have a minimum of ${unsound.minWorkers} and a maximum of ${unsound.maxWorkers} ` +
        'workers: set both.',
    );
  return { ok: true, value: [...endpoints.values()] };
}

const FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  port: { type: 'string', default: '0' },
  'api-key': { type: 'string' },
  dialect: { type: 'string', default: 'spec' },
  'sync-retention-ms': { type: 'string', default: String(RUNSYNC_RETENTION_MS.default) },
  'stream-replay': { type: 'boolean', default: false },
  'time-scale': { type: 'string', default: '1' },
  limits: { type: 'string', default: 'on' },
  'requests-per-worker': { type: 'string', default: '0' },
  fault: { type: 'string', multiple: true },
  'fault-seed': { type: 'string', default: '1' },
  state: { type: 'string' },
  'template-omitted': { type: 'string', default: 'reset' },
  handler: { type: 'string', multiple: true },
  'min-workers': { type: 'string' },
  'max-workers': { type: 'string' },
  'cold-start-ms': { type: 'string' },
  'idle-timeout-ms': { type: 'string' },
  workers: { type: 'string', multiple: true },
  'crash-retries': { type: 'string' },
} as const;

const SCALING_FLAGS = [
  ['min-workers', 'minWorkers'],
  ['max-workers', 'maxWorkers'],
  ['cold-start-ms', 'coldStartMs'],
  ['idle-timeout-ms', 'idleTimeoutMs'],
] as const;

function wholeNumber(flag: string, raw: string, min: number, max: number): Checked<number> {
  const value = Number(raw);
  if (/^\d+$/.test(raw) && value >= min && value <= max) return { ok: true, value };
  return refuse(`${flag} must be a whole number from ${min} to ${max}, not "${raw}".`);
}

function oneOf<T extends string>(flag: string, raw: string, known: readonly T[]): Checked<T> {
  const value = known.find((word) => word === raw);
  return value === undefined ? refuse(`${flag} must be ${known.join(' or ')}, not "${raw}".`) : { ok: true, value };
}

function timeScale(raw: string): Checked<number> {
  const value = Number(raw);
  if (/^\d+(?:\.\d+)?$/.test(raw) && value >= TIME_SCALE.min && value <= TIME_SCALE.max) return { ok: true, value };
  return refuse(`--time-scale must be a number from ${TIME_SCALE.min} to ${TIME_SCALE.max}, not "${raw}".`);
}

function readFaults(texts: readonly string[], endpointIds: readonly string[]): Checked<FaultRule[]> {
  const rules: FaultRule[] = [];
  for (const text of texts) {
    const rule = readFaultText(text);
    if (!rule.ok) return refuse(`--fault ${text}: ${rule.message}`);
    const { endpointId } = rule.value;
    if (endpointId !== undefined && !endpointIds.includes(endpointId))
      return refuse(`--fault ${text}: there is no endpoint ${endpointId}, only ${endpointIds.join(', ')}.`);
    rules.push(rule.value);
  }
  return { ok: true, value: rules };
}

/**
 * Reads the command line (without node and the script): the options, or `help` if requested. A refusal is one line for
 * stderr.
 */
export function readCliOptions(args: readonly string[], place: CliPlace): Checked<SandboxOptions | 'help'> {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options: FLAGS }));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
    return refuse(`${reason.replace(/\.$/, '')}. --help lists every flag.`);
  }
  if (values.help) return { ok: true, value: 'help' };

  const port = wholeNumber('--port', values.port, 0, 65_535);
  if (!port.ok) return port;
  const syncRetentionMs = wholeNumber('--sync-retention-ms', values['sync-retention-ms'], 1, RUNSYNC_RETENTION_MS.max);
  if (!syncRetentionMs.ok) return syncRetentionMs;
  const requestsPerWorker = wholeNumber('--requests-per-worker', values['requests-per-worker'], 0, 1_000_000);
  if (!requestsPerWorker.ok) return requestsPerWorker;
  const crashRetries = wholeNumber('--crash-retries', values['crash-retries'] ?? '0', 0, 100);
  if (!crashRetries.ok) return crashRetries;
  const faultSeed = wholeNumber('--fault-seed', values['fault-seed'], 0, 2 ** 32 - 1);
  if (!faultSeed.ok) return faultSeed;
  const scale = timeScale(values['time-scale']);
  if (!scale.ok) return scale;
  const dialect = oneOf('--dialect', values.dialect, DIALECTS);
  if (!dialect.ok) return dialect;
  const limits = oneOf('--limits', values.limits, ['on', 'off'] as const);
  if (!limits.ok) return limits;
  const templateOmitted = oneOf('--template-omitted', values['template-omitted'], ['reset', 'keep'] as const);
  if (!templateOmitted.ok) return templateOmitted;
  const { 'api-key': typedKey = place.environmentKey, state } = values;
  const apiKey = typedKey === '-' ? place.firstLine() : typedKey;
  if (apiKey?.trim() === '') return refuse('--api-key must not be empty.');
  if (state?.trim() === '') return refuse('--state must name a file.');

  const scaling: Parameters<typeof readEndpoints>[0]['scaling'] = {};
  for (const [flag, field] of SCALING_FLAGS) {
    const raw = values[flag];
    if (raw === undefined) continue;
    const number = readScalingNumber(`--${flag}`, field, raw);
    if (!number.ok) return number;
    scaling[field] = number.value;
  }
  const endpoints = readEndpoints({ handlers: values.handler ?? [], workers: values.workers ?? [], scaling }, place);
  if (!endpoints.ok) return endpoints;
  const faults = readFaults(
    values.fault ?? [],
    endpoints.value.map(({ id }) => id),
  );
  if (!faults.ok) return faults;

  return {
    ok: true,
    value: {
      port: port.value,
      dialect: dialect.value,
      syncRetentionMs: syncRetentionMs.value,
      isStreamReplayed: values['stream-replay'],
      timeScale: scale.value,
      limits: limits.value,
      requestsPerWorker: requestsPerWorker.value,
      faults: faults.value,
      faultSeed: faultSeed.value,
      stateFile: state === undefined ? null : resolve(place.folder, state),
      templateOmitted: templateOmitted.value,
      endpoints:
        crashRetries.value === 0
          ? endpoints.value
          : endpoints.value.map((endpoint) => ({ ...endpoint, crashRetries: crashRetries.value })),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  };
}
