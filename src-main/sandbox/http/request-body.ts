import type { IncomingMessage } from 'node:http';
import type { Checked } from '../checked.ts';

/** A request's body as text, or why there is none. `gone`: the client left before it was complete. */
export type BodyRead = { kind: 'text'; text: string } | { kind: 'too-large' } | { kind: 'not-utf8' } | { kind: 'gone' };

/** How much of a refused upload is read and dropped, so that the client gets the answer. */
const DISCARD_MAX_BYTES = 64 * 2 ** 20;

/** Whether more of the body may come than has been received. */
export function isUploading({ headers, complete }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

/** Reads and drops the rest of the body. `onOver` is called when there is no more, or the client left. */
export function discardRest(request: IncomingMessage, onOver: () => void): void {
  let discardedBytes = 0;
  request.on('data', (piece: Buffer) => {
    discardedBytes += piece.length;
    if (discardedBytes > DISCARD_MAX_BYTES) request.destroy();
  });
  request.once('close', onOver);
}

function decode(pieces: Buffer[]): BodyRead {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) };
  } catch {
    return { kind: 'not-utf8' };
  }
}

export interface BodyReader {
  /**
   * Reads a body of at most `maxBytes`. A larger one is refused as soon as that is known, from the content-length or
   * while reading, and never kept (ruling 16).
   */
  read(maxBytes: number): Promise<BodyRead>;
  receivedBytes(): number;
}

/**
 * Reads one request's body. `askToSend`: tells a client that waits for it (`expect: 100-continue`) to send; otherwise
 * null.
 */
export function createBodyReader(request: IncomingMessage, askToSend: (() => void) | null): BodyReader {
  let receivedBytes = 0;

  function read(maxBytes: number): Promise<BodyRead> {
    const declaredBytes = Number(request.headers['content-length'] ?? 0);
    if (declaredBytes > maxBytes) return Promise.resolve({ kind: 'too-large' });
    askToSend?.();

    return new Promise((resolve) => {
      let pieces: Buffer[] = [];
      const onData = (piece: Buffer): void => {
        receivedBytes += piece.length;
        if (receivedBytes <= maxBytes) return void pieces.push(piece);
        pieces = [];
        request.off('data', onData);
        resolve({ kind: 'too-large' });
      };
      request.on('data', onData);
      request.on('end', () => resolve(decode(pieces)));
      request.on('error', () => resolve({ kind: 'gone' }));
      request.on('close', () => resolve({ kind: 'gone' }));
    });
  }

  return { read, receivedBytes: () => receivedBytes };
}

/** Why a text is not JSON, behind a colon. The parser's own message often quotes the text, which may be secret. */
export function jsonProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at (position \d+(?: \(line \d+ column \d+\))?)/.exec(message)?.[1];
  if (position !== undefined) return `see ${position}`;
  if (message === 'Unexpected end of JSON input') return 'it ends too early';
  const letter = /^Unexpected token '(\P{C})'/u.exec(message)?.[1];
  return letter === undefined ? 'it has an unexpected character' : `it has an unexpected ${letter}`;
}

/** The parts of a request that concern its body. */
export interface BodyRequest {
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
}

function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/**
 * Reads a body that must be JSON, without parsing it. Null if the client left. `subject`: its name in the sentence
 * about the size.
 */
export async function readJsonText(
  request: BodyRequest,
  maxBytes: number,
  subject = 'The body',
): Promise<Checked<string> | null> {
  if (!isJson(request.contentType))
    return { ok: false, message: 'The body must be sent as content-type application/json.' };
  const body = await request.readBody(maxBytes);
  switch (body.kind) {
    case 'gone':
      return null;
    case 'too-large':
      return { ok: false, message: `${subject} must not exceed ${maxBytes} bytes.` };
    case 'not-utf8':
      return { ok: false, message: 'The body is not valid UTF-8 text.' };
    case 'text':
      return { ok: true, value: body.text };
  }
}
