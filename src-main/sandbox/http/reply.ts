/** An answer before it is written to a socket; `body` is JSON text unless the headers say otherwise. */
export interface Reply {
  status: number;
  body: string;
  /** How the body is sent; left out: as it is. */
  encoding?: 'gzip';
  headers?: Record<string, string>;
}

/** 200, whatever the operation (ruling 5). */
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
