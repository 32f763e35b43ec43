import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScannedFields } from './read-reply.ts';
import { startOfJson, textAt } from './json-scan.ts';
import type { Span } from './json-scan.ts';
import type { StreamReply } from './reply.ts';
import type { ScannedStream } from './scan-stream.ts';
import { deepestValue } from './shapes.ts';
import type { Fields } from './shapes.ts';

/** Bytes that are made text of without a pause. */
const pieceBytes = 1_048_576;
/** A member at least so long is part of the raw text and no second copy beside it. */
const sharedBytes = 65_536;
/** How long the event loop is kept at most, about. */
const shareMs = 8;

/** Lets the event loop turn whenever what is done has kept it for its share. */
function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < shareMs) return;
    await nextTurn();
    since = performance.now();
  };
}

/** The fields of a reply as texts, out of the bytes they were found in; in many short steps where it is long. */
export async function fieldsAt(bytes: Uint8Array, scanned: ScannedFields): Promise<Fields> {
  const pause = createPauses();
  const { members, idText, decodedError } = scanned;
  const texts = new Map<string, string>();
  const deep = new Set<string>();
  const long: { span: Span; text: string }[] = [];
  for (const member of members) {
    const text = await textOf(bytes, member, pause);
    texts.set(member.name, text);
    if (member.depth > deepestValue) deep.add(member.name);
    if (member.end - member.start >= sharedBytes) long.push({ span: member, text });
  }
  let raw = '';
  let from = bytes[0] === 0xef ? startOfJson(bytes) : 0;
  for (const { span, text } of long.toSorted((one, other) => one.span.start - other.span.start)) {
    raw += (await textOf(bytes, { start: from, end: span.start }, pause)) + text;
    from = span.end;
  }
  raw += await textOf(bytes, { start: from, end: bytes.length }, pause);
  const errorText = decodedError === null ? null : await textOf(decodedError, { start: 0, end: decodedError.length }, pause);
  return { raw, texts, deep, idText, errorText };
}

/** The chunks of a stream's reply as texts, out of the bytes they were found in; in many short steps where there are many. */
export async function chunksAt(bytes: Uint8Array, { spans, composed }: ScannedStream): Promise<StreamReply['chunks']> {
  const pause = createPauses();
  const chunks: StreamReply['chunks'] = [];
  const length = bytes.length;
  for (let at = 0; at < spans.length; at += 4) {
    const [start = 0, end = 0, metricsStart = 0, metricsEnd = 0] = spans.subarray(at, at + 4);
    const outputJson = await textOf(bytes, { start, end }, pause);
    const metricsJson = metricsEnd === 0 ? null
      : metricsStart >= length ? await textOf(composed, { start: metricsStart - length, end: metricsEnd - length }, pause)
      : await textOf(bytes, { start: metricsStart, end: metricsEnd }, pause);
    chunks.push({ outputJson, metricsJson });
  }
  return chunks;
}

/** A span as text. A long one is joined of pieces, each cut where no character is. */
async function textOf(bytes: Uint8Array, { start, end }: Span, pause: () => Promise<void>): Promise<string> {
  let text = '';
  for (let from = start; from < end;) {
    let to = Math.min(end, from + pieceBytes);
    // A byte 10xxxxxx continues the character before it.
    while (to < end && to > from + 1 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    text += textAt(bytes, from, to);
    from = to;
    await pause();
  }
  return text;
}
