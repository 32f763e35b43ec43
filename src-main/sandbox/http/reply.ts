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

/** Gives a text of the client's in a form that fits a message: cut, on one line, without the key. */
export type EchoText = (text: string) => string;

const SHOWN_CHARS = 80;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** People paste their key in all kinds of places; wherever it was, a reply or a log must not repeat it. */
export function createEchoText(apiKey: string): EchoText {
  return (text) => {
    if (text.includes(apiKey)) return '(the key)';
    const printable = text.replace(UNPRINTABLE, '?');
    return printable.length > SHOWN_CHARS ? `${printable.slice(0, SHOWN_CHARS)}…` : printable;
  };
}
