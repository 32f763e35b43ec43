import type { Dice } from './dice.ts';
import type { Form, FuzzRequest, RequestOptions } from './fuzz-request.ts';
import { sketchRequest, targetOf } from './valid-requests.ts';
import { chunked, cut, head, type Header } from './wire.ts';

/** Operations that may wait for the job before they answer. */
const HELD = new Set(['runsync', 'status-sync', 'stream']);

/** A request whose end is not where its headers say, or whose headers are not valid HTTP. */
export function misframed(dice: Dice, options: RequestOptions): FuzzRequest {
  const { number, area, grounds, apiKey, port } = options;
  const sketch = sketchRequest(dice, area, grounds);
  const body = Buffer.from(sketch.bodyText ?? '{"input":{}}');
  const common: Header[] = [
    ['host', `127.0.0.1:${port}`],
    ['authorization', `Bearer ${apiKey}`],
    ['content-type', 'application/json'],
  ];
  const target = targetOf(sketch);
  const whole = Buffer.concat([
    head(sketch.method, target, [...common, ['content-length', String(body.length)]]),
    body,
  ]);
  const withLength = (length: string): Buffer =>
    Buffer.concat([head(sketch.method, target, [...common, ['content-length', length]]), body]);
  const withCoding = (coding: string, sent: Buffer): Buffer =>
    Buffer.concat([head(sketch.method, target, [...common, ['transfer-encoding', coding]]), sent]);
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
      return made(
        HELD.has(sketch.operation) ? 'unfinished' : 'closing',
        withLength(String(dice.between(0, Math.max(0, body.length - 1)))),
      );
    case 2:
      return made(
        'closing',
        withLength(dice.pick(['-1', 'abc', '1e3', '0x10', '+5', '1 2', '99999999999999999999999', '1,1'])),
        'open',
      );
    case 3:
      return made('unfinished', withLength(dice.pick(['10485761', '20971521', '9007199254740993', '524288000'])));
    case 4:
      return made(
        'closing',
        Buffer.concat([
          head(sketch.method, target, [
            ...common,
            ['content-length', String(body.length)],
            ['transfer-encoding', 'chunked'],
          ]),
          chunked(dice, body),
        ]),
        'open',
      );
    case 5:
      return made(
        'closing',
        withCoding(dice.pick(['gzip', 'chunked, gzip', 'identity', 'x']), chunked(dice, body)),
        'half-close',
      );
    case 6:
      return made('unfinished', withCoding('chunked', chunked(dice, body).subarray(0, -dice.between(1, 5))));
    case 7:
      return made(
        'closing',
        withCoding(
          'chunked',
          Buffer.from(
            dice.pick(['zz\r\nabc\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffffff\r\nx', '5\r\nab\r\n0\r\n\r\n']),
          ),
        ),
        'half-close',
      );
    case 8:
      // Without Host: HTTP/1.1 itself refuses it.
      return made(
        'closing',
        Buffer.concat([
          head(sketch.method, target, [...common.slice(1), ['content-length', String(body.length)]]),
          body,
        ]),
        'open',
      );
    case 9:
      return made(
        HELD.has(sketch.operation) ? 'unfinished' : 'closing',
        Buffer.concat([
          head(
            sketch.method,
            target,
            [...common, ['content-length', String(body.length)]],
            dice.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.12']),
          ),
          body,
        ]),
        'half-close',
      );
    case 10:
      return made('unfinished', whole.subarray(0, dice.between(1, whole.length - 1)));
    case 11:
      return made('unfinished', whole.subarray(0, dice.between(1, whole.length)), 'reset');
    case 12:
      return made(
        'closing',
        head(sketch.method, target, [...common, ['x-long', 'v'.repeat(dice.between(17_000, 80_000))]]),
        'open',
      );
    case 13:
      return made(
        'closing',
        head(sketch.method, target, [
          ...common,
          ...Array.from({ length: 2_500 }, (_, index): Header => [`h${index}`, '']),
        ]),
        'open',
      );
    case 14: {
      const bad = dice.pick(['no colon here', 'bad name: x', 'x: a\0b', ': empty', ' folded', 'x\t: y', 'é: x']);
      return made(
        'closing',
        Buffer.from(
          `${sketch.method} ${target} HTTP/1.1\r\n${bad}\r\nhost: 127.0.0.1\r\nauthorization: ${apiKey}\r\n\r\n`,
          'latin1',
        ),
        'half-close',
      );
    }
    default:
      // The sender announces that nothing more will come. A held request then counts as hung up, any other is still
      // answered.
      return made(HELD.has(sketch.operation) ? 'unfinished' : 'closing', whole, 'half-close');
  }
}

/** Bytes that are not a request. */
export function garbage(dice: Dice, { number, area }: RequestOptions): FuzzRequest {
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
  return {
    number,
    area,
    operation: 'garbage',
    method: '',
    endpointId: '',
    form: 'unfinished',
    pieces: [make()],
    answers: 0,
    ending: dice.pick(['half-close', 'half-close', 'reset']),
    mustBeRefused: false,
  };
}
