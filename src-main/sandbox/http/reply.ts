import type { ServerResponse } from 'node:http';

/** An answer before it is written to a socket. `body` is JSON unless the headers say otherwise. */
export interface Reply {
  status: number;
  body: string;
  /** The encoding of the body. Default: none. */
  encoding?: 'gzip';
  headers?: Record<string, string>;
}

/** 200, for every operation (ruling 5). */
export function okReply(body: string): Reply {
  return { status: 200, body };
}

/** `{"error": "<one sentence>"}` (ruling 6). */
export function errorReply(status: number, sentence: string): Reply {
  return { status, body: JSON.stringify({ error: sentence }) };
}

/** 429 with Retry-After in whole seconds (ruling 10). */
export function tooManyReply(sentence: string, retryAfterS: number): Reply {
  return { ...errorReply(429, sentence), headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) } };
}

/** Shortens a client's text for an error message: cut, on one line, without the key. */
export type EchoText = (text: string) => string;

const SHOWN_CHARS = 80;
/** A shorter key is in other words by chance, and protects nothing. */
const TELLING_KEY_CHARS = 8;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Users paste their key in various places. Wherever it was, a reply or a log must not repeat it. */
export function createEchoText(apiKey: string): EchoText {
  return (text) => {
    if (text === apiKey || (apiKey.length >= TELLING_KEY_CHARS && text.includes(apiKey))) return '(the key)';
    const printable = text.replace(UNPRINTABLE, '?');
    return printable.length > SHOWN_CHARS ? `${printable.slice(0, SHOWN_CHARS)}…` : printable;
  };
}

/** After what time, and at which interval, a client that has ended its side is checked. */
const ASK_AFTER_MS = [0, 20] as const;
const ASK_EVERY_MS = 1_000;

/**
 * A client may end its side of the connection after its request and still wait for the answer; one that hangs up looks
 * the same until something is written. So while a request is held, `102 Processing` is written to a client that has
 * ended its side: one that waits ignores it (RFC 9110, 15.2), and the system of one that is gone refuses it, so that
 * the next write closes the response. HTTP/1.0 has no such answers: there, ending counts as hanging up.
 */
function checkWhetherThere(response: ServerResponse, onGone: () => void): void {
  const { socket, req: request } = response;
  if (socket === null || request.httpVersion === '1.0') return onGone();
  let timer: NodeJS.Timeout | null = null;
  const ask = (times: number): void => {
    if (response.headersSent || response.destroyed) return;
    response.writeProcessing();
    timer = setTimeout(ask, ASK_AFTER_MS[times] ?? ASK_EVERY_MS, times + 1);
  };
  response.once('close', () => {
    if (timer !== null) clearTimeout(timer);
  });
  timer = setTimeout(ask, ASK_AFTER_MS[0], 1);
}

/**
 * Returns a signal that is aborted if the client leaves before its answer was sent. Created when needed, because most
 * requests are answered immediately.
 */
export function hangUpSignal(response: ServerResponse): () => AbortSignal {
  let controller: AbortController | null = null;
  return () => {
    if (controller === null) {
      const made = new AbortController();
      controller = made;
      const onGone = (): void => made.abort();
      response.on('close', onGone);
      const { socket } = response.req;
      const onEnd = (): void => checkWhetherThere(response, onGone);
      if (response.destroyed) onGone();
      else if (socket.readableEnded) onEnd();
      else socket.once('end', onEnd);
      // The connection may be used for many more requests.
      response.on('close', () => socket.off('end', onEnd));
    }
    return controller.signal;
  };
}
