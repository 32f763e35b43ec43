import type { Dice } from './dice.ts';
import type { Area, RequestSketch } from './valid-requests.ts';
import type { Header } from './wire.ts';

/** The sketch's path and query with something odd in them, as in the request line. */
export function mutatedTarget(dice: Dice, sketch: RequestSketch, apiKey: string): string {
  const segments = [...sketch.segments];
  const odd = dice.pick(
    [
      '',
      '.',
      '..',
      '%00',
      '%2F',
      '%zz',
      '%',
      '%ff',
      '%e2%80%ae',
      '%0d%0a',
      '*',
      '~',
      'constructor',
      '__proto__',
      'toString',
      '-1',
      'undefined',
      'a'.repeat(3_000),
      '%F0%9F%8E%88',
      'a;b=c',
      '%3Cscript%3E',
      '. A sentence',
      apiKey,
    ].map((text) => text.replaceAll(' ', '%20')) as [string, ...string[]],
  );
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
    query.push(
      `${name}=${dice.pick(['', '-1', '0', '999', '1001', '1e4', '1e999', 'NaN', 'true', '%00', '%zz', '99999999999999999999', '1000&' + name + '=2000', 'x'.repeat(2_000), apiKey])}`,
    );
  }
  const path = `/${segments.join('/')}`;
  const whole = query.length === 0 ? path : `${path}?${query.join('&')}`;
  return dice.pick([
    whole,
    whole,
    whole,
    whole,
    `http://127.0.0.1${whole}`,
    `http://evil.example${whole}`,
    `/${whole}`,
    `${whole}?`,
    `${whole}/`,
    `${whole}#x`,
    '*',
    '/',
    '?',
    '/v2',
    '/v2/',
    '/v1/pods',
    '/_sandbox',
  ]);
}

function replaceHeader(headers: Header[], name: string, value: string | null): void {
  const at = headers.findIndex(([own]) => own === name);
  if (value === null) headers.splice(at, 1);
  else headers[at] = [name, value];
}

/** Returns whether the key is now certain to be refused. */
export function spoilAuthorization(dice: Dice, headers: Header[], area: Area, apiKey: string): boolean {
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

/** Returns whether the Host is now certain to be foreign. */
export function spoilHost(dice: Dice, headers: Header[]): boolean {
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

/** One to three headers that clients rarely send, or send by mistake. */
export function addOddHeaders(dice: Dice, headers: Header[], apiKey: string): void {
  for (let count = dice.between(1, 3); count > 0; count -= 1) {
    switch (dice.between(0, 9)) {
      case 0:
        replaceOrAdd(
          headers,
          'content-type',
          dice.pick([
            'text/plain',
            'application/json; charset=utf-16',
            'application/jsonp',
            '',
            'APPLICATION/JSON',
            'multipart/form-data; boundary=x',
            'application/problem+json',
            `application/json;${'x'.repeat(4_000)}`,
            'ÿ/ÿ',
          ]),
        );
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
        headers.push([
          dice.pick(['cookie', 'x-key', 'user-agent', 'referer', 'x-forwarded-host', 'x-http-method-override']),
          dice.pick([apiKey, 'DELETE', '\x80\xff', 'a'.repeat(500)]),
        ]);
        break;
      case 7:
        headers.push(['__proto__', 'x'], ['constructor', 'y']);
        break;
      case 8:
        headers.push(['connection', dice.pick(['close', 'keep-alive', 'TE', 'x,y,z'])]);
        break;
      default:
        headers.push([
          dice.pick(['accept', 'range', 'if-match', 'te', 'trailer', 'via']),
          dice.pick(['*/*', 'bytes=0-1', '*', 'trailers', 'x']),
        ]);
    }
  }
}

function replaceOrAdd(headers: Header[], name: string, value: string): void {
  if (headers.some(([own]) => own === name)) replaceHeader(headers, name, value);
  else headers.push([name, value]);
}
