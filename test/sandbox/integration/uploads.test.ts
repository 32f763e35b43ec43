import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';

const BODY = Buffer.alloc(24 * 2 ** 20, 'x');
const ANNOUNCED = [`content-length: ${BODY.length}`, 'content-type: application/json'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/**
 * Sends all of a large body before it reads anything, as a blocking client does, on a connection that is to close with
 * the answer; gives what it reads then.
 */
async function sendThenRead(path: string, headers: readonly string[], pieces: readonly Buffer[]): Promise<string> {
  const socket = connect(sandbox.port, '127.0.0.1').pause();
  const failed = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  const write = (piece: Buffer | string): Promise<void> =>
    new Promise((resolve) => socket.write(piece, () => resolve()));
  const sendAll = async (): Promise<void> => {
    await write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n${headers.join('\r\n')}\r\n\r\n`);
    for (const piece of pieces) await write(piece);
  };
  await Promise.race([sendAll(), failed]);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const read = new Promise<string>((resolve) => socket.once('end', () => resolve(text)));
  socket.resume();
  return Promise.race([read, failed]);
}

describe('an upload that is refused, on a connection that closes with the answer', () => {
  const key = `authorization: ${TEST_API_KEY}`;
  const chunked = [Buffer.from(`${BODY.length.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')];

  it.each([
    ['too large, announced', '/v2/echo/runsync', '400 Bad Request', [key, ...ANNOUNCED], [BODY]],
    [
      'too large, in chunks',
      '/v2/echo/run',
      '400 Bad Request',
      [key, 'transfer-encoding: chunked', 'content-type: application/json'],
      chunked,
    ],
    ['at no endpoint', '/v2/nowhere/run', '404 Not Found', [key, ...ANNOUNCED], [BODY]],
    ['without the key', '/v2/echo/run', '401 Unauthorized', ANNOUNCED, [BODY]],
  ])('is explained: %s', async (_name, path, statusLine, headers, pieces) => {
    const text = await sendThenRead(path, headers, pieces);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${statusLine}\r\n`));
    expect(text).toMatch(/\{"error":"[^"]+"\}$/);
  });
});
