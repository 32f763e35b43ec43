import { failed, ok } from '../../src-preload/failure.ts';
import { createJsonScanner, startOfJson, textAt, type JsonScanner, type Member, type Span } from './json-scan.ts';
import { idOf, textOf, type Parsed } from './shapes.ts';
import { replyText } from '../messages/service/failures.ts';

/** Where the chunks of a stream's reply are in its bytes. */
export interface ScannedStream {
  /** Only the wrapped shape has one. */
  status: string | null;
  /** The id of the job it is about, or null. */
  id: string | null;
  /**
   * Four numbers per chunk: start and end of its output, and of its metrics. Both of the latter are 0 without metrics.
   */
  spans: Uint32Array<ArrayBuffer>;
  /** Metrics that are not in the reply in this form. Places after the reply's last byte refer to these bytes. */
  composed: Uint8Array<ArrayBuffer>;
}

/**
 * spec: Stream chunk. Takes a bare array, `{status, stream: [...]}`, or a single chunk (ruling 1). Returns
 * the complete chunks at the beginning of an incomplete reply. The failure ends the sentence "the reply ...".
 */
export function scanStream(bytes: Uint8Array, { isBroken = false } = {}): Parsed<ScannedStream> {
  const scanner = createJsonScanner(bytes);
  const chunks = createChunks(bytes, scanner);
  const start = startOfJson(bytes);
  if (bytes[start] === openList) {
    scanner.elements(start, chunks.add);
    return ok(chunks.all(null, null));
  }
  if (bytes[start] !== openObject) return failed(replyText.noChunks);

  const fields = new Map<string, Span>();
  let behind = start + 1;
  const end = scanner.members(start, (member) => {
    fields.set(member.name, member);
    behind = member.end;
  });
  const status = shortTextAt(bytes, fields.get('status'), (text) => textOf(JSON.parse(text)));
  const id = shortTextAt(bytes, fields.get('id'), idOf);
  const stream = fields.get('stream');
  if (isBroken && end === -1) {
    if (stream === undefined) openStream(bytes, behind, chunks.add);
    else chunks.addAll(stream);
    return ok(chunks.all(null, id));
  }
  if (stream !== undefined) {
    chunks.addAll(stream);
    return ok(chunks.all(status, id));
  }
  // With an id it is a job record, whose output is the result and not an increment.
  if (status !== null && (fields.has('id') || !fields.has('output'))) return ok(chunks.all(status, id));
  if (!fields.has('output')) return failed(replyText.noStream);
  chunks.add(start, end);
  return ok(chunks.all(status, id));
}

/** Bytes; a longer text is not a status and not an id. */
const maxTextChars = 1_000;
const openList = 0x5b;
const openObject = 0x7b;

/** The chunks of an incomplete list `stream` that begins after the last complete member. */
function openStream(bytes: Uint8Array, behind: number, add: (start: number, end: number) => void): void {
  const between = /^\s*,?\s*"stream"\s*:\s*(?=\[)/.exec(textAt(bytes, behind, Math.min(bytes.length, behind + 1_000)));
  if (between !== null) createJsonScanner(bytes).elements(behind + Buffer.byteLength(between[0]), add);
}

/** What `read` makes of a member's JSON text. Null if it is absent or long. */
function shortTextAt(bytes: Uint8Array, span: Span | undefined, read: (text: string) => string | null): string | null {
  return span === undefined || span.end - span.start > maxTextChars ? null : read(textAt(bytes, span.start, span.end));
}

interface Chunks {
  add(start: number, end: number): void;
  /** The elements of a list, none for null, or a single chunk for anything else. */
  addAll(stream: Span): void;
  all(status: string | null, id: string | null): ScannedStream;
}

function createChunks(bytes: Uint8Array, scanner: JsonScanner): Chunks {
  // Grows in place, because growing by copying would take twice the memory. An element takes at least two bytes.
  const memory = new ArrayBuffer(4_096, {
    maxByteLength: Math.max(4_096, 4 * bytesOfPlaces * Math.ceil(bytes.length / 2)),
  });
  const spans = new Uint32Array(memory);
  let length = 0;
  const composed: Buffer[] = [];
  let composedBytes = 0;

  function push(output: Span, metrics: Span): void {
    if (length + 4 > spans.length) memory.resize(Math.min(memory.maxByteLength, memory.byteLength * 2));
    spans.set([output.start, output.end, metrics.start, metrics.end], length);
    length += 4;
  }

  function compose(text: string): Span {
    const piece = Buffer.from(text);
    const start = bytes.length + composedBytes;
    composed.push(piece);
    composedBytes += piece.length;
    return { start, end: start + piece.length };
  }

  /** A scanner of its own, because the other one is in progress in the list that contains this element. */
  const within = createJsonScanner(bytes);

  /**
   * An element that is not an object with `output` is all output. Reading drains the stream on the server (ruling 2),
   * so fields beside output and metrics are kept too, with the metrics.
   */
  function add(start: number, end: number): void {
    const members = bytes[start] === openObject ? membersAt(within, start) : new Map<string, Member>();
    const output = members.get('output');
    const metrics = members.get('metrics');
    if (output === undefined) push({ start, end }, noSpan);
    else if (members.size === (metrics === undefined ? 1 : 2)) push(output, metrics ?? noSpan);
    else push(output, compose(metricsText(bytes, within, members)));
  }

  return {
    add,
    addAll(stream) {
      if (bytes[stream.start] === openList) scanner.elements(stream.start, add);
      else if (textAt(bytes, stream.start, stream.end) !== 'null') add(stream.start, stream.end);
    },
    all: (status, id) => ({
      status,
      id,
      spans: new Uint32Array(memory, 0, length),
      composed: new Uint8Array(Buffer.concat(composed)),
    }),
  };
}

const bytesOfPlaces = Uint32Array.BYTES_PER_ELEMENT;
const noSpan: Span = { start: 0, end: 0 };

function membersAt(scanner: JsonScanner, start: number): Map<string, Member> {
  const members = new Map<string, Member>();
  scanner.members(start, (member) => void members.set(member.name, member));
  return members;
}

/** One object of what is beside a chunk's output. The metrics' own members take precedence. */
function metricsText(bytes: Uint8Array, scanner: JsonScanner, chunk: Map<string, Member>): string {
  const metrics = chunk.get('metrics');
  const isObject = metrics !== undefined && bytes[metrics.start] === openObject;
  const members = new Map([...chunk].filter(([name]) => name !== 'output' && (name !== 'metrics' || !isObject)));
  if (isObject) for (const [name, member] of membersAt(scanner, metrics.start)) members.set(name, member);
  const texts = [...members].map(([name, { start, end }]) => `${JSON.stringify(name)}:${textAt(bytes, start, end)}`);
  return `{${texts.join(',')}}`;
}
