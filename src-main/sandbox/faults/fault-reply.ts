import { systemClock } from '../clock.ts';
import { errorReply, tooManyReply, type Reply } from '../http/reply.ts';
import { DEFAULT_SKEW_MS, type FaultKind, type FaultRule } from './faults.ts';

/** The kinds that handle the whole request or its answer. The others change the content of the answer. */
export const REQUEST_FAULT_KINDS: readonly FaultKind[] = [
  'status',
  'html',
  'reset',
  'hang',
  'delay',
  'invalid-json',
  'truncated-json',
  'drop-after-accept',
  'deep',
  'large',
  'huge',
  'compressed',
];

/** The answer of a fault instead of the service's. Null for the other kinds. */
export function faultReply({ kind, status, retryAfterS }: FaultRule): Reply | null {
  if (kind === 'html') {
    const code = status ?? 502;
    const page =
      `<!doctype html>\n<html><head><title>${code}</title></head><body><h1>${code}</h1><p>The gateway could not ` +
      `answer.</p></body></html>\n`;
    return { status: code, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
  }
  if (kind !== 'status') return null;
  const code = status ?? 500;
  if (code >= 300 && code < 400)
    return { ...errorReply(code, 'A fault of the sandbox redirects elsewhere.'), headers: { location: NOWHERE } };
  if (code === 429) return tooManyReply('Too many requests.', retryAfterS ?? 1);
  const reply = errorReply(code, `A fault of the sandbox answers ${code}.`);
  return retryAfterS === undefined ? reply : { ...reply, headers: { 'retry-after': String(Math.ceil(retryAfterS)) } };
}

/** The answer after the fault changed it. */
export function spoil(reply: Reply, rule: FaultRule): Reply {
  const { kind } = rule;
  if (kind === 'deep' || kind === 'large' || kind === 'huge' || kind === 'compressed')
    return pad(reply, { ...rule, kind });
  if (kind === 'truncated-json') return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) };
  if (kind === 'invalid-json') return { ...reply, body: `{"id": ${reply.body.slice(1)}, oops` };
  return reply;
}

/** No such path is served. */
const NOWHERE = '/elsewhere';

/** The fields of pods and their parts that are times (spec: Pod). */
const TIME_FIELD = /"(lastStartedAt|startTime|endTime|maintenanceStart|maintenanceEnd)":"([^"\\]*)"/g;
const STATUS_CHANGE = /"lastStatusChange":"[^"\\]*"/g;
/** The other form of lastStartedAt that was seen in the field (field notes: Pod). */
const OBSERVED_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) \+0000 UTC$/;

function shiftTime(text: string, skewMs: number): string {
  const observed = OBSERVED_TIME.exec(text);
  const atMs = Date.parse(observed === null ? text : `${observed[1]}T${observed[2]}Z`);
  if (Number.isNaN(atMs)) return text;
  const shifted = new Date(atMs + skewMs).toISOString();
  return observed === null ? shifted : `${shifted.slice(0, 10)} ${shifted.slice(11, -1)} +0000 UTC`;
}

/** `Sat Nov 14 2026 16:45:48 GMT+0000`, the form in lastStatusChange. */
const TIME_IN_TEXT = /[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}/g;

function shiftTimeInText(text: string, skewMs: number): string {
  const offset = /GMT([+-])(\d\d)(\d\d)/.exec(text);
  const offsetMs =
    offset === null ? 0 : Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000;
  // In the original form and zone: toUTCString returns "Sat, 14 Nov 2026 16:45:48 GMT".
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(Date.parse(text) + skewMs + offsetMs)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return `${weekday} ${month} ${day} ${year} ${time} ${text.slice(-8)}`;
}

/** The answer of a service with a wrong clock: its Date header and, in management replies, the times in it. */
export function skewTimes(reply: Reply, { skewMs = DEFAULT_SKEW_MS }: FaultRule, isManagement: boolean): Reply {
  const body = isManagement
    ? reply.body
        .replace(TIME_FIELD, (_all, field: string, time: string) => `"${field}":"${shiftTime(time, skewMs)}"`)
        .replace(STATUS_CHANGE, (text) => text.replace(TIME_IN_TEXT, (time) => shiftTimeInText(time, skewMs)))
    : reply.body;
  // Date is real time, not the service's time that may run faster, and so is its skew.
  return { ...reply, body, headers: { ...reply.headers, date: new Date(systemClock.now() + skewMs).toUTCString() } };
}

/** How deep the lists of a `deep` fault are nested. */
const DEEP_LEVELS = 100_000;

const DEFAULT_SIZE_BYTES = { large: 19_000_000, huge: 70_000_000, compressed: 60_000_000 } as const;

type PaddingRule = FaultRule & { kind: 'deep' | 'large' | 'huge' | 'compressed' };

/** One of the many small values in a large answer. */
const ELEMENT = '{"at":1234,"text":"what no request asked for, and a client must survive"},';

/**
 * The answer with a large field `padding` after its content: in the record, or in the last chunk of a bare list. A list
 * without a chunk is only filled up with spaces, and cannot be deep. It stays valid JSON.
 */
function pad(reply: Reply, rule: PaddingRule): Reply {
  const body = withPadding(reply.body, rule);
  return rule.kind === 'compressed' ? { ...reply, body, encoding: 'gzip' } : { ...reply, body };
}

function withPadding(body: string, rule: PaddingRule): string {
  const at = body.endsWith('}]') ? body.length - 2 : body.length - 1;
  const isEmptyList = body.startsWith('[') && at === body.length - 1;
  if (isEmptyList) return rule.kind === 'deep' ? body : `[${' '.repeat(sizeOf(rule))}]`;
  return `${body.slice(0, at)},"padding":${paddingOf(rule)}${body.slice(at)}`;
}

function paddingOf(rule: PaddingRule): string {
  if (rule.kind === 'deep') return '['.repeat(DEEP_LEVELS) + ']'.repeat(DEEP_LEVELS);
  const sizeBytes = sizeOf(rule);
  // gzip compresses one repeated letter to a thousandth.
  if (rule.kind === 'compressed') return `"${'0'.repeat(sizeBytes)}"`;
  return `[${ELEMENT.repeat(Math.ceil(sizeBytes / ELEMENT.length))}null]`;
}

function sizeOf({ kind, sizeBytes }: PaddingRule): number {
  return kind === 'deep' ? 0 : (sizeBytes ?? DEFAULT_SIZE_BYTES[kind]);
}
