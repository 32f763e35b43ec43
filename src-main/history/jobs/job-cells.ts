import type { DatabaseSync } from 'node:sqlite';
import { bytesIn, dataUrlPrefix } from '../../../src-preload/base64.ts';
import { imageOf, imagesInJson, looksLikeImage } from '../../../src-preload/base64-images.ts';
import type { CellValue, JobCells, JobImage } from '../../../src-preload/batch-table.ts';
import { decodeString, parseJson } from '../../../src-preload/json-spans.ts';
import { imageCaption } from '../../../src-preload/messages/image.ts';
import { textOfOutput } from '../../../src-preload/stream-text.ts';
import { number, statement, text } from '../file/row.ts';
import { readChunks } from '../stream/chunks.ts';
import { valuesIn, type PlacedValue } from './body-values.ts';
import { inputBody, readBody } from './bodies.ts';

/** How much of a body is read for a table: one piece of it (bodies.ts). */
const readBytes = 1_048_576;
/** A page ends after this many characters of bodies, because other calls are blocked meanwhile. */
const pageChars = 2_000_000;
/** The most values of one body, and of all their characters. Behind that, each has only its beginning. */
const maxValues = 80;
const maxChars = 6_000;
const shownChars = 240;
const briefChars = 24;
const errorChars = 400;
/** Enough chunks for the beginning of a text. */
const textChunks = 200;

/**
 * The cells of these jobs in this order, for as many of them as fit into a page: at least one, if there are any. A job
 * that was deleted is left out.
 */
export function readJobCells(db: DatabaseSync, keys: readonly string[]): { cells: JobCells[]; passed: number } {
  const cells: JobCells[] = [];
  let chars = 0;
  let passed = 0;
  for (const key of keys) {
    if (chars >= pageChars) break;
    passed += 1;
    const row = statement(db, 'SELECT id, attempt, phase, chunk_count FROM jobs WHERE key = ?').get(key);
    if (row === undefined) continue;
    const read = cellsOf(db, {
      key,
      id: number(row, 'id'),
      attempt: number(row, 'attempt'),
      isStreamOver: text(row, 'phase') !== 'active' && number(row, 'chunk_count') > 0,
    });
    cells.push(read.cells);
    chars += read.chars;
  }
  return { cells, passed };
}

interface ReadJob {
  key: string;
  id: number;
  attempt: number;
  /** It streamed, and no more comes. */
  isStreamOver: boolean;
}

function cellsOf(db: DatabaseSync, { key, id, attempt, isStreamOver }: ReadJob): { cells: JobCells; chars: number } {
  const input = readBody(db, id, inputBody, readBytes);
  const output = readBody(db, id, { part: 'output', attempt }, readBytes);
  const error = readBody(db, id, { part: 'error', attempt }, errorChars * 4);
  const streamed = output === null && isStreamOver ? streamedText(db, id, attempt) : null;
  return {
    cells: {
      key,
      input: input === null ? [] : shownValues(input.text),
      output: output === null ? (streamed === null ? [] : [streamed]) : shownValues(output.text),
      error: error === null ? null : decodedError(error.text).slice(0, errorChars),
      hasImage: statement(db, 'SELECT 1 FROM job_images WHERE job = ?').get(id) !== undefined,
      isOutputCut: output?.isCut === true,
    },
    chars: (input?.text.length ?? 0) + (output?.text.length ?? 0),
  };
}

function decodedError(errorText: string): string {
  return errorText.startsWith('"') ? decodeString(errorText) : errorText;
}

/** The text of a stream without another output, from its beginning. */
function streamedText(db: DatabaseSync, id: number, attempt: number): CellValue | null {
  let joined = '';
  for (const { outputJson } of readChunks(db, { rowId: id, attempt }, { limit: textChunks })) {
    joined += textOfOutput(parseJson(outputJson)) ?? '';
    if (joined.length > shownChars) break;
  }
  return joined === ''
    ? null
    : { path: '', kind: 'string', text: joined.slice(0, shownChars), isCut: joined.length > shownChars };
}

/** The values of a body as a table shows them. Pure. */
export function shownValues(body: string): CellValue[] {
  let left = maxChars;
  return valuesIn(body, maxValues).map((value) => {
    const shown = shownValue(body, value, left > 0 ? shownChars : briefChars);
    left -= shown.text.length;
    return shown;
  });
}

function shownValue(body: string, value: PlacedValue, max: number): CellValue {
  const { path, kind, start, end } = value;
  if (kind === 'string') {
    const image = imageCell(body, value);
    if (image !== null) return image;
    const { text: beginning, isCut } = stringBeginning(body, start, end, max);
    return { path, kind, text: beginning, isCut: isCut || value.isCut };
  }
  const json = body.slice(start, Math.min(end, start + max * 2)).replaceAll(/\s+/g, ' ');
  return { path, kind, text: json.slice(0, max), isCut: value.isCut || end - start > max * 2 || json.length > max };
}

/** The beginning of a string of JSON, or of a text that is no JSON. */
function stringBeginning(body: string, start: number, end: number, max: number): { text: string; isCut: boolean } {
  if (body[start] !== '"') return { text: body.slice(start, start + max), isCut: end - start > max };
  // An escape has six characters at most.
  if (end - start <= max * 6) {
    const whole = decodeString(body.slice(start, end));
    return { text: whole.slice(0, max), isCut: whole.length > max };
  }
  return { text: decodeString(`${wholeEscapes(body.slice(start, start + max * 6))}"`).slice(0, max), isCut: true };
}

/** The text without an escape that its end cuts. */
function wholeEscapes(text: string): string {
  const slashes = /\\+$/.exec(text)?.[0].length ?? 0;
  if (slashes % 2 === 1) return text.slice(0, -1);
  const cut = /(\\+)u[0-9a-fA-F]{0,3}$/.exec(text);
  return cut !== null && (cut[1] ?? '').length % 2 === 1 ? text.slice(0, cut.index + (cut[1] ?? '').length - 1) : text;
}

/** Enough for the header of nearly every image. */
const headChars = 16_384;

/** An image in base64, by its bytes. The size of one that is cut is not known. */
function imageCell(body: string, { path, start, end, isCut }: PlacedValue): CellValue | null {
  const head = body.slice(start + 1, Math.min(end - 1, start + headChars)).replaceAll('\\/', '/');
  if (!looksLikeImage(head)) return null;
  const prefix = dataUrlPrefix(head)?.length ?? 0;
  const facts = imageOf(head.slice(prefix));
  if (facts === null) return null;
  return { path, kind: 'image', text: imageCaption(facts, bytesIn(body.slice(start + 1 + prefix, end - 1))), isCut };
}

/** The first image of a job's output, or of the newest chunks of its stream. Null if there is none. */
export function readJobImage(db: DatabaseSync, key: string): JobImage | null {
  const row = statement(db, 'SELECT id, attempt FROM jobs WHERE key = ?').get(key);
  if (row === undefined) return null;
  const [id, attempt] = [number(row, 'id'), number(row, 'attempt')];
  const output = readBody(db, id, { part: 'output', attempt });
  if (output !== null) return firstImage([output.text]);
  return firstImage(
    readChunks(db, { rowId: id, attempt }, { limit: textChunks, maxChars: imageChunkChars })
      .map(({ outputJson }) => outputJson)
      .reverse(),
  );
}

const imageChunkChars = 16_000_000;
/** Counting more takes longer than it tells. */
const maxCounted = 99;

function firstImage(bodies: readonly string[]): JobImage | null {
  let first: JobImage | null = null;
  let count = 0;
  for (const body of bodies)
    for (const { facts, base64 } of imagesInJson(body)) {
      first ??= { base64: base64(), format: facts.format, width: facts.width, height: facts.height, count: 1 };
      count += 1;
      if (count >= maxCounted) break;
    }
  return first === null ? null : { ...first, count };
}
