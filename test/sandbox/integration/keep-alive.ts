import { connect } from 'node:net';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';

export interface PlainAnswer {
  status: number;
  retryAfter: string | null;
}

export interface PlainRequest {
  method: string;
  /** Under `/v2/`, unless it begins with a slash. */
  path: string;
  body?: unknown;
}

function textOf({ apiKey }: Sandbox, { method, path, body }: PlainRequest): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const bodyHeaders =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
  return `${method} ${path.startsWith('/') ? path : `/v2/${path}`} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n${bodyHeaders}\r\n${json}`;
}

/** Sends the same request `count` times over one connection, each after the previous answer: thousands a second. */
export function repeat(sandbox: Sandbox, request: PlainRequest, count: number): Promise<PlainAnswer[]> {
  const text = textOf(sandbox, request);
  return new Promise((resolve, reject) => {
    const answers: PlainAnswer[] = [];
    let received = '';
    const socket = connect(sandbox.port, '127.0.0.1', () => socket.write(text));
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (piece: string) => {
      received += piece;
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/.exec(received)?.[1] ?? Infinity);
      if (headEnd === -1 || received.length < headEnd + 4 + length) return;
      answers.push({
        status: Number(received.slice(9, 12)),
        retryAfter: /retry-after: (\S+)/.exec(received)?.[1] ?? null,
      });
      received = '';
      if (answers.length < count) socket.write(text);
      else socket.end();
    });
    socket.on('close', () => resolve(answers));
    socket.on('error', reject);
  });
}

export interface HeldRequest {
  /** Everything the service has sent so far. */
  received(): string;
  /** The body of the answer, as JSON, when it arrives. */
  answer(): Promise<unknown>;
}

/**
 * Sends a request that is not answered immediately. Resolves when the service is working on it. A second request on the
 * same connection shows this: it is parsed after the first, and logged while the first one's answer is pending.
 */
export async function hold(sandbox: Sandbox, request: PlainRequest): Promise<HeldRequest> {
  let received = '';
  const socket = connect(sandbox.port, '127.0.0.1');
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received += piece;
  });
  const isAtWork = new Promise<void>((resolve) => {
    const leave = sandbox.requestLog.listen(({ area }) => {
      if (area !== 'elsewhere') return;
      leave();
      resolve();
    });
  });
  socket.write(textOf(sandbox, request) + textOf(sandbox, { method: 'GET', path: '/elsewhere' }));
  await isAtWork;
  return {
    received: () => received,
    answer: async () => {
      // The answer to the second request follows the one to the first.
      while (received.split('HTTP/1.1 ').length < 3)
        await new Promise<void>((resolve) => void socket.once('data', () => setImmediate(resolve)));
      socket.destroy();
      const [, first = ''] = received.split('HTTP/1.1 ');
      return JSON.parse(first.slice(first.indexOf('\r\n\r\n') + 4));
    },
  };
}
