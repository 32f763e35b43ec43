import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../../src-main/service/reply.ts';

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

/** A service that writes these bytes for each request, in these pieces, and then ends the connection if `isEnded`. */
async function serving(answer: () => { pieces: Buffer[]; isEnded: boolean }): Promise<QueueApi> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const { pieces, isEnded } = answer();
      const next = (index: number): void => {
        const piece = pieces[index];
        if (piece === undefined) {
          if (isEnded) socket.end();
          return;
        }
        socket.write(piece, () => setImmediate(next, index + 1));
      };
      next(0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return createQueueApi(
    {
      baseUrl: `http://127.0.0.1:${port}`,
      restUrl: null,
      authorization: 'bearer',
      readKey: () => Promise.resolve('rpa_body-key-0123456789'),
    },
    { now: () => Date.UTC(2026, 0, 1), timeouts: { status: 2_000 } },
  );
}

/** Everything that a value of JavaScript would change. */
const output =
  '{"a":1,"a":2,"__proto__":{"x":1},"constructor":null,"big":9007199254740993,"zero":-0,"huge":1e999,' +
  '"tiny":1E-400,"half":"\\ud800","pair":"\\ud83d\\ude00","text":"ä€😀","deep":' +
  `${'['.repeat(300)}${']'.repeat(300)}` +
  ',"spaced" : [ 1 ,\t2 ]}';
const record = `{"id":"job-1","status":"COMPLETED","output":${output}}`;
const head = (lines: string[], version = '1.1'): string =>
  [`HTTP/${version} 200 OK`, 'content-type: application/json', ...lines, '', ''].join('\r\n');
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const whole = Buffer.from(record);

describe('an output', () => {
  it('is kept byte for byte, wherever the network cuts it', async () => {
    let cut = 0;
    const api = await serving(() => ({
      pieces: [
        Buffer.from(head(['transfer-encoding: chunked'])),
        chunk(whole.subarray(0, cut)),
        chunk(whole.subarray(cut)),
        Buffer.from('0\r\n\r\n'),
      ],
      isEnded: false,
    }));
    for (cut = 1; cut < whole.length; cut += 1) {
      const { result } = await api.status('echo', 'job-1');
      expect(result.ok && result.value.outputJson, `cut at ${cut}`).toBe(output);
    }
  });

  it.each<[string, Buffer[], boolean]>([
    ['HTTP/1.0 without a length', [Buffer.from(head([], '1.0')), whole], true],
    ['HTTP/1.1 until the connection ends', [Buffer.from(head(['connection: close'])), whole], true],
    [
      'after two answers that are no answer yet',
      [
        Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
        Buffer.from(head([`content-length: ${whole.length}`])),
        whole,
      ],
      false,
    ],
    [
      'with a byte order mark',
      [Buffer.from(head([`content-length: ${whole.length + 3}`])), Buffer.from([0xef, 0xbb, 0xbf]), whole],
      false,
    ],
    [
      'packed',
      [
        Buffer.from(head(['content-encoding: gzip', `content-length: ${gzipSync(whole).length}`])),
        gzipSync(whole).subarray(0, 7),
        gzipSync(whole).subarray(7),
      ],
      false,
    ],
    [
      'packed, although the head does not say so in small letters',
      [Buffer.from(head(['Content-Encoding: GZIP', 'connection: close'])), gzipSync(whole)],
      true,
    ],
    ['called packed, but plain', [Buffer.from(head(['content-encoding: gzip', 'connection: close'])), whole], true],
  ])('is kept byte for byte: %s', async (_what, pieces, isEnded) => {
    const api = await serving(() => ({ pieces, isEnded }));
    const { result } = await api.status('echo', 'job-1');
    expect(result.ok && result.value.outputJson).toBe(output);
  });

  it.each<[string, Buffer[], boolean]>([
    ['announces more than it has', [Buffer.from(head([`content-length: ${whole.length + 9}`])), whole], true],
    ['announces less than it has', [Buffer.from(head([`content-length: ${whole.length - 9}`])), whole], true],
    [
      'has two lengths',
      [Buffer.from(head([`content-length: ${whole.length}`, `content-length: ${whole.length - 9}`])), whole],
      true,
    ],
    [
      'has a length and chunks',
      [
        Buffer.from(head([`content-length: ${whole.length - 9}`, 'transfer-encoding: chunked'])),
        chunk(whole),
        Buffer.from('0\r\n\r\n'),
      ],
      true,
    ],
    [
      'ends in the middle of its chunks',
      [Buffer.from(head(['transfer-encoding: chunked'])), chunk(whole.subarray(0, whole.length - 9))],
      true,
    ],
    [
      'has more behind its end',
      [Buffer.from(head(['connection: close'])), whole, Buffer.from('{"status":"FAILED"}')],
      true,
    ],
  ])('of a reply that %s is never taken for whole', async (_what, pieces, isEnded) => {
    const api = await serving(() => ({ pieces, isEnded }));
    const { result } = await api.status('echo', 'job-1');
    expect(result).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  });
});
