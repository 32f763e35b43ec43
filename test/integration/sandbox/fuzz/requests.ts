import type { Dice } from './dice.ts';
import { bodyBytes } from './json-text.ts';
import { sketchRequest, type Area, type Grounds, type RequestSketch } from './valid-requests.ts';

/**
 * `kept`: one well-framed request on a connection that goes on. `closing`: one whole request after
 * which the connection may be closed. `burst`: several whole requests in one write. `unfinished`:
 * not a whole request, or none at all: it may be closed without an answer.
 */
export type Form = 'kept' | 'closing' | 'burst' | 'unfinished';

export interface FuzzRequest {
  number: number;
  area: Area;
  operation: string;
  method: string;
  endpointId: string;
  form: Form;
  /** What is written, piece by piece. */
  pieces: Buffer[];
  /** Answers that must come. */
  answers: number;
  /** After the last piece: keep the connection open, close this side of it, or reset it. */
  ending: 'open' | 'half-close' | 'reset';
  /** The key is wrong or the Host a foreign one: nothing but a refusal may come back. */
  mustBeRefused: boolean;
}

export interface RequestOptions {
  number: number;
  area: Area;
  grounds: Grounds;
  apiKey: string;
  port: number;
}

/** Operations that may wait for the job before they answer. */
const HELD = new Set(['runsync', 'status-sync', 'stream']);

type Header = [name: string, value: string];

/** One request, valid or mutated; the same for the same dice and grounds. */
export function makeRequest(dice: Dice, options: RequestOptions): FuzzRequest {
  const kind = dice.between(0, 99);
  if (kind < 4) return garbage(dice, options);
  if (kind < 14) return misframed(dice, options);
  if (kind < 17) return burst(dice, options);
  return wellFramed(dice, options, dice.chance(0.7));
}

function wellFramed(dice: Dice, options: RequestOptions, isMutated: boolean): FuzzRequest {
  const { number, area, grounds, apiKey, port } = options;
  const sketch = sketchRequest(dice, area, grounds);
  const endpointId = sketch.segments[1] ?? '';
  const headers: Header[] = [['host', `127.0.0.1:${port}`], ['authorization', `Bearer ${apiKey}`]];
  let mustBeRefused = false;
  let body = sketch.bodyText === null ? null : bodyBytes(dice, sketch.bodyText, isMutated ? 0.12 : 0);
  if (body !== null) headers.push(['content-type', 'application/json']);
  let target = targetOf(sketch);
  if (isMutated) {
    if (dice.chance(0.15)) sketch.method = dice.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'HEAD']);
    if (dice.chance(0.3)) target = mutatedTarget(dice, sketch, apiKey);
    if (dice.chance(0.12)) mustBeRefused = spoilAuthorization(dice, headers, area, apiKey);
    if (dice.chance(0.06)) mustBeRefused = spoilHost(dice, headers) || mustBeRefused;
    if (dice.chance(0.3)) addOddHeaders(dice, headers, apiKey);
    if (body === null && dice.chance(0.15)) body = bodyBytes(dice, '{"input":{}}', 0.3);
  }
  const isExpecting = headers.some(([name]) => name === 'expect');
  const bytes = write(dice, sketch.method, target, headers, body, isMutated && dice.chance(0.2));
  return {
    number,
    area,
    operation: sketch.operation,
    method: sketch.method,
    endpointId,
    form: isExpecting || sketch.method === 'HEAD' || sketch.method === 'TRACE' ? 'closing' : 'kept',
    pieces: dice.chance(0.1) ? cut(dice, bytes) : [bytes],
    answers: 1,
    ending: 'open',
    mustBeRefused,
  };
}

function targetOf({ segments, query }: RequestSketch): string {
  const path = `/${segments.map(encodeURIComponent).join('/')}`;
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

function mutatedTarget(dice: Dice, sketch: RequestSketch, apiKey: string): string {
  const segments = [...sketch.segments];
  const odd = dice.pick(['', '.', '..', '%00', '%2F', '%zz', '%', '%ff', '%e2%80%ae', '%0d%0a', '*', '~', 'constructor', '__proto__', 'toString', '-1', 'undefined', 'a'.repeat(3_000), '%F0%9F%8E%88', 'a;b=c', '%3Cscript%3E', '. A sentence', apiKey].map((text) => text.replaceAll(' ', '%20')) as [string, ...string[]]);
  const at = dice.between(0, segments.length - 1);
  switch (dice.between(0, 9)) {
    case 0:
      segments.splice(at, 1);
      break;
    case 1:
      segments.splice(at, 0, odd);
      break;
    case 2:
      segments.push(odd);
      break;
    case 3:
      segments[at] = (segments[at] ?? '').toUpperCase();
      break;
    case 4:
      segments.reverse();
      break;
    default:
      segments[at] = odd;
  }
  const query = sketch.query.map(([name, value]) => `${name}=${value}`);
  if (dice.chance(0.4)) {
    const name = dice.pick(['wait', 'ttl', 'since', 'includeMachine', 'includeWorkers', '__proto__', 'x']);
    query.push(`${name}=${dice.pick(['', '-1', '0', '999', '1001', '1e4', '1e999', 'NaN', 'true', '%00', '%zz', '99999999999999999999', '1000&' + name + '=2000', 'x'.repeat(2_000), apiKey])}`);
  }
  const path = `/${segments.join('/')}`;
  const whole = query.length === 0 ? path : `${path}?${query.join('&')}`;
  return dice.pick([whole, whole, whole, whole, `http://127.0.0.1${whole}`, `http://evil.example${whole}`, `/${whole}`, `${whole}?`, `${whole}/`, `${whole}#x`, '*', '/', '?', '/v2', '/v2/', '/v1/pods', '/_sandbox']);
}

function replaceHeader(headers: Header[], name: string, value: string | null): void {
  const at = headers.findIndex(([own]) => own === name);
  if (value === null) headers.splice(at, 1);
  else headers[at] = [name, value];
}

/** Tells whether the key is surely not accepted now. */
function spoilAuthorization(dice: Dice, headers: Header[], area: Area, apiKey: string): boolean {
  const [value, isRefused] = dice.pick<[string | null, boolean]>([
    [null, true],
    ['', true],
    ['Bearer', true],
    ['Bearer ', true],
    [`Basic ${Buffer.from(`user:${apiKey}`).toString('base64')}`, true],
    [`Bearer ${apiKey}x`, true],
    [`Bearer ${apiKey.slice(0, -1)}`, true],
    [`Bearer ${apiKey.toUpperCase()}`, true],
    [`Bearer ${'k'.repeat(dice.between(1, 6_000))}`, true],
    [`Bearer ÿþ${apiKey}`, true],
    [`Bearer ${apiKey}, Bearer ${apiKey}`, true],
    [apiKey, area === 'management'],
    [`bearer   ${apiKey}`, false],
    [`BEARER ${apiKey} `, false],
  ]);
  replaceHeader(headers, 'authorization', value);
  return isRefused;
}

function spoilHost(dice: Dice, headers: Header[]): boolean {
  const [value, isForeign] = dice.pick<[string, boolean]>([
    ['evil.example', true],
    ['evil.example:80', true],
    ['127.0.0.1.evil.example', true],
    ['127.0.0.1@evil.example', true],
    ['localhost.', true],
    ['', true],
    ['0.0.0.0', true],
    ['2130706433', true],
    ['127.0.0.1, evil.example', true],
    ['h'.repeat(4_000), true],
    ['localhost', false],
    ['LOCALHOST:1', false],
    ['[::1]', false],
  ]);
  replaceHeader(headers, 'host', value);
  return isForeign;
}

function addOddHeaders(dice: Dice, headers: Header[], apiKey: string): void {
  for (let count = dice.between(1, 3); count > 0; count -= 1) {
    switch (dice.between(0, 9)) {
      case 0:
        replaceOrAdd(headers, 'content-type', dice.pick(['text/plain', 'application/json; charset=utf-16', 'application/jsonp', '', 'APPLICATION/JSON', 'multipart/form-data; boundary=x', 'application/problem+json', `application/json;${'x'.repeat(4_000)}`, 'ÿ/ÿ']));
        break;
      case 1:
        headers.push(['expect', dice.pick(['100-continue', '100-Continue', '200-ok', 'nothing', ''])]);
        break;
      case 2:
        headers.push(['content-encoding', dice.pick(['gzip', 'br', 'identity', 'x'])]);
        break;
      case 3:
        headers.push(['x-long', 'v'.repeat(dice.pick([100, 4_000, 9_000]))]);
        break;
      case 4:
        for (let extra = dice.between(5, 120); extra > 0; extra -= 1) headers.push([`x-${extra}`, dice.word(5)]);
        break;
      case 5:
        headers.push(['upgrade', dice.pick(['websocket', 'h2c', 'TLS/1.0'])], ['connection', 'upgrade']);
        break;
      case 6:
        headers.push([dice.pick(['cookie', 'x-key', 'user-agent', 'referer', 'x-forwarded-host', 'x-http-method-override']), dice.pick([apiKey, 'DELETE', '\x80\xff', 'a'.repeat(500)])]);
        break;
      case 7:
        headers.push(['__proto__', 'x'], ['constructor', 'y']);
        break;
      case 8:
        headers.push(['connection', dice.pick(['close', 'keep-alive', 'TE', 'x,y,z'])]);
        break;
      default:
        headers.push([dice.pick(['accept', 'range', 'if-match', 'te', 'trailer', 'via']), dice.pick(['*/*', 'bytes=0-1', '*', 'trailers', 'x'])]);
    }
  }
}

function replaceOrAdd(headers: Header[], name: string, value: string): void {
  if (headers.some(([own]) => own === name)) replaceHeader(headers, name, value);
  else headers.push([name, value]);
}

function head(method: string, target: string, headers: readonly Header[], version = 'HTTP/1.1'): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, 'latin1');
}

function chunked(dice: Dice, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < body.length;) {
    const piece = body.subarray(from, from + dice.between(1, Math.max(1, body.length - from)));
    from += piece.length;
    const extension = dice.chance(0.2) ? ';name=value' : '';
    parts.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(dice.chance(0.2) ? '0\r\nx-trailer: y\r\n\r\n' : '0\r\n\r\n'));
  return Buffer.concat(parts);
}

function write(dice: Dice, method: string, target: string, headers: readonly Header[], body: Buffer | null, isChunked: boolean): Buffer {
  if (body === null) return head(method, target, method === 'POST' && dice.chance(0.5) ? [...headers, ['content-length', '0']] : headers);
  if (isChunked) return Buffer.concat([head(method, target, [...headers, ['transfer-encoding', 'chunked']]), chunked(dice, body)]);
  return Buffer.concat([head(method, target, [...headers, ['content-length', String(body.length)]]), body]);
}

function cut(dice: Dice, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: dice.between(1, 4) }, () => dice.between(0, bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length)).filter((piece) => piece.length > 0);
}

/** Several whole requests in one write. */
function burst(dice: Dice, options: RequestOptions): FuzzRequest {
  const requests = Array.from({ length: dice.between(2, 6) }, () => wellFramed(dice, options, false));
  const [first] = requests;
  return {
    number: options.number,
    area: options.area,
    operation: first?.operation ?? '',
    method: 'POST',
    endpointId: first?.endpointId ?? '',
    form: 'burst',
    pieces: [Buffer.concat(requests.flatMap(({ pieces }) => pieces))],
    answers: requests.length,
    ending: 'open',
    mustBeRefused: false,
  };
}

/** A request whose end is not where its headers say, or whose headers are not HTTP's. */
function misframed(dice: Dice, options: RequestOptions): FuzzRequest {
  const { number, area, grounds, apiKey, port } = options;
  const sketch = sketchRequest(dice, area, grounds);
  const body = Buffer.from(sketch.bodyText ?? '{"input":{}}');
  const common: Header[] = [['host', `127.0.0.1:${port}`], ['authorization', `Bearer ${apiKey}`], ['content-type', 'application/json']];
  const target = targetOf(sketch);
  const whole = Buffer.concat([head(sketch.method, target, [...common, ['content-length', String(body.length)]]), body]);
  const withLength = (length: string): Buffer => Buffer.concat([head(sketch.method, target, [...common, ['content-length', length]]), body]);
  const withCoding = (coding: string, sent: Buffer): Buffer => Buffer.concat([head(sketch.method, target, [...common, ['transfer-encoding', coding]]), sent]);
  const made = (form: Form, bytes: Buffer, ending: FuzzRequest['ending'] = 'half-close'): FuzzRequest => ({
    number,
    area,
    operation: sketch.operation,
    method: sketch.method,
    endpointId: '',
    form,
    pieces: dice.chance(0.2) ? cut(dice, bytes) : [bytes],
    answers: form === 'unfinished' ? 0 : 1,
    ending,
    mustBeRefused: false,
  });
  switch (dice.between(0, 15)) {
    case 0:
      return made('unfinished', withLength(String(body.length + dice.between(1, 5_000))));
    case 1:
      return made(HELD.has(sketch.operation) ? 'unfinished' : 'closing', withLength(String(dice.between(0, Math.max(0, body.length - 1)))));
    case 2:
      return made('closing', withLength(dice.pick(['-1', 'abc', '1e3', '0x10', '+5', '1 2', '99999999999999999999999', '1,1'])), 'open');
    case 3:
      return made('unfinished', withLength(dice.pick(['10485761', '20971521', '9007199254740993', '524288000'])));
    case 4:
      return made('closing', Buffer.concat([head(sketch.method, target, [...common, ['content-length', String(body.length)], ['transfer-encoding', 'chunked']]), chunked(dice, body)]), 'open');
    case 5:
      return made('closing', withCoding(dice.pick(['gzip', 'chunked, gzip', 'identity', 'x']), chunked(dice, body)), 'half-close');
    case 6:
      return made('unfinished', withCoding('chunked', chunked(dice, body).subarray(0, -dice.between(1, 5))));
    case 7:
      return made('closing', withCoding('chunked', Buffer.from(dice.pick(['zz\r\nabc\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\nx', '5\r\nab\r\n0\r\n\r\n']))), 'half-close');
    case 8:
      // No Host at all: refused by HTTP/1.1 itself.
      return made('closing', Buffer.concat([head(sketch.method, target, [...common.slice(1), ['content-length', String(body.length)]]), body]), 'open');
    case 9:
      return made(HELD.has(sketch.operation) ? 'unfinished' : 'closing', Buffer.concat([head(sketch.method, target, [...common, ['content-length', String(body.length)]], dice.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.12'])), body]), 'half-close');
    case 10:
      return made('unfinished', whole.subarray(0, dice.between(1, whole.length - 1)));
    case 11:
      return made('unfinished', whole.subarray(0, dice.between(1, whole.length)), 'reset');
    case 12:
      return made('closing', head(sketch.method, target, [...common, ['x-long', 'v'.repeat(dice.between(17_000, 80_000))]]), 'open');
    case 13:
      return made('closing', head(sketch.method, target, [...common, ...Array.from({ length: 2_500 }, (_, index): Header => [`h${index}`, ''])]), 'open');
    case 14: {
      const bad = dice.pick(['no colon here', 'bad name: x', 'x: a\0b', ': empty', ' folded', 'x\t: y', 'é: x']);
      return made('closing', Buffer.from(`${sketch.method} ${target} HTTP/1.1\r\n${bad}\r\nhost: 127.0.0.1\r\nauthorization: ${apiKey}\r\n\r\n`, 'latin1'), 'half-close');
    }
    default:
      // The sender says that nothing more will come: for a held request that is hanging up, else it is still answered.
      return made(HELD.has(sketch.operation) ? 'unfinished' : 'closing', whole, 'half-close');
  }
}

/** Bytes that are no request. */
function garbage(dice: Dice, { number, area }: RequestOptions): FuzzRequest {
  const bytes = [
    () => dice.bytes(dice.between(1, 2_000)),
    () => Buffer.from('1603010200010001fc0303', 'hex'),
    () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    () => Buffer.from('\r\n'.repeat(dice.between(1, 50))),
    () => Buffer.from('CONNECT evil.example:443 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'),
    () => Buffer.from(`${dice.word(5)} ${dice.word(10)}\r\n\r\n`),
    () => Buffer.from('GET'),
    () => Buffer.alloc(0),
    () => Buffer.from(`GET /${'a'.repeat(dice.between(10_000, 100_000))} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
    () => Buffer.from('GET / HTTP/1.1\nhost: 127.0.0.1\n\n'),
    () => Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  ];
  const make = bytes[dice.between(0, bytes.length - 1)] ?? (() => Buffer.alloc(0));
  return { number, area, operation: 'garbage', method: '', endpointId: '', form: 'unfinished', pieces: [make()], answers: 0, ending: dice.pick(['half-close', 'half-close', 'reset']), mustBeRefused: false };
}
