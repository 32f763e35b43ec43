import { connect, type Socket } from 'node:net';
import { createAnswerReader, type WireAnswer } from './answers.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** What happened to one request. */
export interface Exchange {
  answers: readonly WireAnswer[];
  /** The bytes received are not an answer, or not a whole one. */
  problem: string | null;
  /** The service closed the connection. */
  isClosed: boolean;
  /** Nothing (more) came within {@link ANSWER_WITHIN_MS}. */
  isTooLate: boolean;
}

/** Much longer than the longest hold that a fuzz request causes. */
const ANSWER_WITHIN_MS = 20_000;

/** A client with its own connection, reused while the service keeps it open. */
export interface FuzzClient {
  send(request: FuzzRequest): Promise<Exchange>;
  close(): void;
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // After this, a reset is only another way to be closed.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

async function writePieces(socket: Socket, { pieces, ending }: FuzzRequest): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await new Promise(setImmediate);
    if (socket.writable) socket.write(piece);
  }
  if (ending === 'half-close') socket.end();
  if (ending === 'reset') socket.resetAndDestroy();
}

function exchange(socket: Socket, request: FuzzRequest): Promise<Exchange> {
  const reader = createAnswerReader(request.method === 'HEAD');
  return new Promise((resolve) => {
    const finish = (isClosed: boolean, isTooLate: boolean): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      if (isTooLate) socket.destroy();
      const problem = reader.problem() ?? (reader.hasRest() ? 'the last answer is not whole' : null);
      resolve({ answers: reader.answers, problem, isClosed, isTooLate });
    };
    let isWritten = false;
    const onProgress = (): void => {
      // An answer can come before its request was completely written. The next request must not begin before that.
      if (!isWritten || reader.answers.length < request.answers || request.answers === 0) return;
      if (request.form === 'kept') finish(false, false);
      // Asked to close now: the rest must still be answers, and then the end.
      else if (socket.writable) socket.end();
    };
    const onData = (piece: Buffer): void => {
      reader.push(piece);
      onProgress();
    };
    const onEnd = (): void => finish(true, false);
    const timer = setTimeout(() => finish(false, true), ANSWER_WITHIN_MS);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    void writePieces(socket, request).then(() => {
      isWritten = true;
      if (request.ending === 'reset') finish(true, false);
      else onProgress();
    });
  });
}

/** Rejects if the service no longer accepts connections. */
export function createFuzzClient(port: number): FuzzClient {
  let kept: Socket | null = null;
  let hasSurplus = false;
  const onSurplus = (): void => {
    hasSurplus = true;
  };
  return {
    send: async (request) => {
      if (request.form !== 'kept') {
        const socket = await open(port);
        const result = await exchange(socket, request);
        socket.destroy();
        return result;
      }
      if (kept === null || kept.destroyed || !kept.writable || kept.readableEnded) kept = await open(port);
      const socket = kept.off('data', onSurplus);
      const exchanged = await exchange(socket, request);
      const result = hasSurplus
        ? { ...exchanged, problem: 'something came between the answer before and this request' }
        : exchanged;
      hasSurplus = false;
      socket.on('data', onSurplus);
      if (result.isClosed || result.isTooLate || result.answers.at(-1)?.headers.get('connection') === 'close') {
        socket.destroy();
        kept = null;
      }
      return result;
    },
    close: () => void kept?.destroy(),
  };
}
