import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuse } from './checked.ts';
import type { Checked } from './checked.ts';
import { BUILT_IN_ENDPOINTS, SCALING_MAX } from './endpoint.ts';
import type { EndpointDefinition, Scaling } from './endpoint.ts';

/** Where the command line was typed, as far as reading it needs to know. */
export interface CliPlace {
  /** The folder that relative paths start from. */
  folder: string;
  isFile(path: string): boolean;
}

type ScalingFlag = 'minWorkers' | 'maxWorkers' | 'coldStartMs' | 'idleTimeoutMs';

/** Of an endpoint with a handler of one's own, unless the command line says otherwise. */
const HANDLER_SCALING = { minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };

/** Safe in a path, in a header line of the log and on a command line. */
const ENDPOINT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const WORKERS_FIELDS = new Map<string, ScalingFlag>([
  ['min', 'minWorkers'],
  ['max', 'maxWorkers'],
  ['cold-start-ms', 'coldStartMs'],
  ['idle-timeout-ms', 'idleTimeoutMs'],
]);

export interface EndpointFlags {
  /** `--handler ID=PATH`, as often as given. */
  handlers: readonly string[];
  /** `--workers ID:max=8,min=1,...`, as often as given. */
  workers: readonly string[];
  /** For all endpoints: `--min-workers` and its like. */
  scaling: Partial<Pick<Scaling, ScalingFlag>>;
}

function readHandler(text: string, { folder, isFile }: CliPlace): Checked<EndpointDefinition> {
  const equalsAt = text.indexOf('=');
  const id = text.slice(0, Math.max(0, equalsAt));
  if (!ENDPOINT_ID.test(id) || equalsAt === text.length - 1)
    return refuse(`--handler is written as ID=PATH, with an id of letters, digits, - and _; "${text}" is not.`);
  const path = resolve(folder, text.slice(equalsAt + 1));
  if (!isFile(path)) return refuse(`--handler ${id}: there is no file ${path}.`);
  return { ok: true, value: { id, handler: { moduleUrl: pathToFileURL(path).href }, ...HANDLER_SCALING } };
}

/** A whole number for a field of the scaling, in the bounds that the workers set. */
export function readScalingNumber(flag: string, field: ScalingFlag, raw: string): Checked<number> {
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

/** The endpoints that the command line asks for: the built-in ones and the handlers, each with its scaling. */
export function readEndpoints(
  { handlers, workers, scaling }: EndpointFlags,
  place: CliPlace,
): Checked<EndpointDefinition[]> {
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
      `Endpoint ${unsound.id} would have at least ${unsound.minWorkers} workers and at most ${unsound.maxWorkers}.`,
    );
  return { ok: true, value: [...endpoints.values()] };
}
