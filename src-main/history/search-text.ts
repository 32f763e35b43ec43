import { walkJson } from './json-walk.ts';
import { fieldBorder } from './search-fold.ts';

/**
 * The words a person would look for, taken out of JSON: keys, strings and numbers of a body; of streamed chunks the
 * strings, joined as they were streamed. Pure.
 */

/** A string this long without a blank is data, not words. */
const dataFromChars = 1_024;
const dataRun = new RegExp(`[^\\s]{${dataFromChars + 1},}`, 'g');
/** As base64 is wrapped in mails and PEM files. */
const wrappedData = /^[A-Za-z0-9+/_\-\r\n]+=*\s*$/;
/** A body or a chunk longer than this is not parsed for the index: its strings are picked out of the beginning. */
const parsedChars = 1_048_576;
const scannedChars = 4_194_304;
/** Errors are often JSON inside a JSON string (field notes: Status and result); deeper than this nobody nests them. */
const nestedDepth = 3;

/** The words of a text that is JSON, or else of the text as it is; at most `cap` characters. */
export function proseOfBody(text: string, cap: number): string {
  const words = collector(cap);
  if (text.length > parsedChars) {
    if (/^\s*[[{"]/.test(text)) scanStrings(text.slice(0, scannedChars), words);
    else words.add(text.slice(0, scannedChars));
    return words.text();
  }
  const value = parse(text);
  if (value === undefined) words.add(text);
  else collect(value, words);
  return words.text();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Words {
  add(piece: string): void;
  isFull(): boolean;
  text(): string;
}

function collector(cap: number): Words {
  const pieces: string[] = [];
  let chars = 0;
  return {
    add(piece) {
      if (chars >= cap) return;
      const kept = withoutData(
        piece.length > 2 * cap + dataFromChars ? piece.slice(0, 2 * cap + dataFromChars) : piece,
      ).slice(0, cap - chars);
      if (kept === '') return;
      pieces.push(kept);
      chars += kept.length + 1;
    },
    isFull: () => chars >= cap,
    text: () => pieces.join('\n'),
  };
}

/** Leaves out what looks like base64 or other data: long runs without a blank. */
export function withoutData(text: string): string {
  if (text.length <= dataFromChars) return text;
  return wrappedData.test(text) ? '' : text.replace(dataRun, ' ');
}

/** Adds the keys, strings and numbers of a parsed body. */
function collect(body: unknown, words: Words): void {
  /** One name a hundred thousand times, one inside the other, says it once. */
  let outerName: string | null = null;
  walkJson(body, 0, {
    member(name, nested) {
      if (name !== outerName) words.add(name);
      outerName = name;
      return nested;
    },
    leaf(value, nested) {
      outerName = null;
      if (typeof value === 'number') words.add(String(value));
      if (typeof value !== 'string') return null;
      const inner = nested < nestedDepth && /^\s*[[{]/.test(value) ? parse(value) : undefined;
      if (inner !== undefined) return { value: inner, context: nested + 1 };
      words.add(value);
      return null;
    },
    isDone: words.isFull,
  });
}

/** Picks the string literals out of JSON that is too long to parse. */
function scanStrings(json: string, words: Pick<Words, 'add' | 'isFull'>): void {
  let at = 0;
  while (!words.isFull()) {
    const open = json.indexOf('"', at);
    if (open < 0) return;
    let close = json.indexOf('"', open + 1);
    while (close > 0 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
    if (close < 0) return;
    const literal = parse(json.slice(open, close + 1));
    if (typeof literal === 'string') words.add(literal);
    at = close + 1;
  }
}

function isEscaped(json: string, quote: number): boolean {
  let slashes = 0;
  while (json[quote - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/**
 * Gathers the text of a stream. Pieces found at the same place of each chunk's output belong together and are joined
 * without anything between, so that a word cut by a chunk's border is whole again. A handler that streams one whole
 * word a chunk (`{"word":"a"}`) is recognised by its borders and indexed apart as well.
 */
export interface StreamText {
  add(outputJson: string): void;
  /** Characters gathered so far. */
  chars(): number;
  text(): string;
}

const piecesKept = 512;
const wordEnd = /[\p{L}\p{N}]$/u;
const wordStart = /^[\p{L}\p{N}]/u;

interface Strand {
  joined: string;
  apart: string;
  /** The newest pieces, not yet in the two texts: fifty thousand small strings would weigh ten times what they say. */
  pieces: string[];
  first: string;
  /** Whether the last piece ended inside a word. */
  endsInWord: boolean;
  /** A role or a model's name comes the same with every chunk: kept once. */
  isConstant: boolean;
  borders: number;
  glued: number;
}

function fold(strand: Strand): void {
  strand.joined += strand.pieces.join('');
  strand.apart += `${strand.pieces.join(' ')} `;
  strand.pieces = [];
}

/** Places told apart: what stands in others counts as standing where they branch off. */
const mostPlaces = 4_096;
const root = 0;

/** Places of a chunk's output, by number: a path of a hundred thousand names would weigh more than the text. */
function createPlaces(): (parent: number, name: string) => number {
  const numbers = new Map<string, number>();
  return (parent, name) => {
    const path = `${parent}/${name}`;
    const known = numbers.get(path);
    if (known !== undefined) return known;
    if (numbers.size >= mostPlaces) return parent;
    const next = numbers.size + 1;
    numbers.set(path, next);
    return next;
  };
}

/** At most `cap` characters are gathered; what comes later is left out of the index (it is kept all the same). */
export function createStreamText(cap: number): StreamText {
  const strands = new Map<number, Strand>();
  const placeOf = createPlaces();
  let chars = 0;
  const isFull = (): boolean => chars >= cap;

  const addPiece = (place: number, piece: string): void => {
    const strand = strands.get(place);
    if (strand === undefined) {
      strands.set(place, {
        joined: '',
        apart: '',
        pieces: [piece],
        first: piece,
        endsInWord: wordEnd.test(piece),
        isConstant: true,
        borders: 0,
        glued: 0,
      });
      chars += piece.length;
      return;
    }
    if (strand.isConstant && piece === strand.first && piece.trim().length > 1) return;
    strand.isConstant = false;
    strand.borders += 1;
    if (strand.endsInWord && wordStart.test(piece)) strand.glued += 1;
    strand.endsInWord = wordEnd.test(piece);
    strand.pieces.push(piece);
    if (strand.pieces.length >= piecesKept) fold(strand);
    chars += piece.length;
  };
  const addText = (text: string, place: number): void => {
    if (text !== '') addPiece(place, withoutData(text.slice(0, cap)));
  };

  return {
    add(outputJson) {
      if (isFull()) return;
      if (outputJson.length > parsedChars) {
        scanStrings(outputJson.slice(0, scannedChars), { add: (literal) => addText(`${literal}\n`, root), isFull });
        return;
      }
      walkJson(parse(outputJson) ?? outputJson, root, {
        member: (name, place) => placeOf(place, name),
        leaf(value, place) {
          if (typeof value === 'string') addText(value, place);
          return null;
        },
        isDone: isFull,
      });
    },
    chars: () => chars,
    text: () =>
      [...strands.values()]
        .map((strand) => {
          fold(strand);
          return strand.glued * 2 > strand.borders ? `${strand.joined}${fieldBorder}${strand.apart}` : strand.joined;
        })
        .join('\n'),
  };
}
