import { parseJson } from '../../../src-preload/json-spans.ts';
import { parsedChars, scanStrings, scannedChars, walkJson, withoutData } from './body-text.ts';
import { fieldBorder } from './words.ts';

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
const endMessage = /[\p{L}\p{N}]$/u;
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

/** So many places are kept apart: what stands in any other counts as standing where it branches off. */
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
        endsInWord: endMessage.test(piece),
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
    strand.endsInWord = endMessage.test(piece);
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
      walkJson(parseJson(outputJson) ?? outputJson, root, {
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
