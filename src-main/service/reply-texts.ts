import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScannedFields } from './read-reply.ts';
import { bufferOf, startOfJson, textAt, type Span } from './json-scan.ts';
import type { StreamReply } from './reply.ts';
import type { ScannedStream } from './scan-stream.ts';
import { deepestValue, type Fields } from './shapes.ts';

/** Bytes that are made text of without a pause. */
const pieceBytes = 262_144;
/** A member at least so long is part of the raw text and no second copy beside it. */
const sharedBytes = 65_536;
/** How long the event loop is kept at most, about. */
const shareMs = 8;

/** Tells when the event loop was kept for its share, from when it last turned. */
interface Pauses {
  isDue(): boolean;
  rest(): Promise<void>;
}

function createPauses(): Pauses {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= shareMs,
    async rest() {
      await nextTurn();
      since = performance.now();
    },
  };
}

/** The fields of a reply as texts, out of the bytes they were found in; in many short steps where it is long. */
export async function fieldsAt(shared: Uint8Array, scanned: ScannedFields): Promise<Fields> {
  const bytes = bufferOf(shared);
  const pauses = createPauses();
  const { members, idText, decodedError } = scanned;
  const texts = new Map<string, string>();
  const deep = new Set<string>();
  const long: { span: Span; text: string }[] = [];
  for (const member of members) {
    const text = await textOf(bytes, member, pauses);
    texts.set(member.name, text);
    if (member.depth > deepestValue) deep.add(member.name);
    if (member.end - member.start >= sharedBytes) long.push({ span: member, text });
  }
  let raw = '';
  let from = bytes[0] === 0xef ? startOfJson(bytes) : 0;
  for (const { span, text } of long.toSorted((one, other) => one.span.start - other.span.start)) {
    raw += (await textOf(bytes, { start: from, end: span.start }, pauses)) + text;
    from = span.end;
  }
  raw += await textOf(bytes, { start: from, end: bytes.length }, pauses);
  const errorText =
    decodedError === null ? null : await textOf(decodedError, { start: 0, end: decodedError.length }, pauses);
  return { raw, texts, deep, idText, errorText };
}

/**
 * The chunks of a stream's reply as texts, out of the bytes they were found in; in many short steps where there are
 * many.
 */
export async function chunksAt(shared: Uint8Array, { spans, composed }: ScannedStream): Promise<StreamReply['chunks']> {
  const bytes = bufferOf(shared);
  const pauses = createPauses();
  const chunks: StreamReply['chunks'] = [];
  const textFrom = (start: number, end: number): string | Promise<string> => {
    if (start >= bytes.length) return textAt(composed, start - bytes.length, end - bytes.length);
    return end - start <= pieceBytes ? textAt(bytes, start, end) : textOf(bytes, { start, end }, pauses);
  };
  for (let at = 0; at < spans.length; at += 4) {
    const output = textFrom(spans[at] ?? 0, spans[at + 1] ?? 0);
    const metricsEnd = spans[at + 3] ?? 0;
    const metrics = metricsEnd === 0 ? null : textFrom(spans[at + 2] ?? 0, metricsEnd);
    // Of many short ones none is waited for.
    chunks.push({
      outputJson: typeof output === 'string' ? output : await output,
      metricsJson: metrics === null || typeof metrics === 'string' ? metrics : await metrics,
    });
    if (pauses.isDue()) await pauses.rest();
  }
  return chunks;
}

/** A span as text. A long one is joined of pieces, each cut where no character is. */
async function textOf(bytes: Uint8Array, { start, end }: Span, pauses: Pauses): Promise<string> {
  let text = '';
  for (let from = start; from < end;) {
    let to = Math.min(end, from + pieceBytes);
    // A byte 10xxxxxx continues the character before it.
    while (to < end && to > from + 1 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    text += textAt(bytes, from, to);
    from = to;
    if (pauses.isDue()) await pauses.rest();
  }
  return text;
}
