import { parseJson } from '../../../src-preload/json-spans.ts';
import { parsedChars, scanStrings, scannedChars, walkJson, withoutData } from './body-text.ts';
import { fieldBorder } from './words.ts';

/**
 * Collects the text of a stream. Pieces at the same place of each chunk's output belong together and are joined
 * directly, so that a word cut between two chunks is complete again. If a handler streams one whole word per chunk
 * (`{"word":"a"}`), that is recognised by its borders, and the words are also indexed separately.
 */
export interface StreamText {
  add(outputJson: string): void;
  /** How many characters were collected. */
  chars(): number;
  text(): string;
}

const piecesKept = 512;
const endMessage = /[\p{L}\p{N}]$/u;
const wordStart = /^[\p{L}\p{N}]/u;

interface Strand {
  joined: string;
  apart: string;
  /**
   * The newest pieces, not yet in the two texts, because fifty thousand small strings would take ten times the memory.
   */
  pieces: string[];
  first: string;
  /** Whether the last piece ended inside a word. */
  endsInWord: boolean;
  /** A role or a model's name is the same in every chunk and is kept once. */
  isConstant: boolean;
  borders: number;
  glued: number;
}

function fold(strand: Strand): void {
  strand.joined += strand.pieces.join('');
  strand.apart += `${strand.pieces.join(' ')} `;
  strand.pieces = [];
}

/** The most places that are kept separately. Further ones count as the place where they branch off. */
const maxPlaces = 4_096;
const root = 0;

/** Numbers for the places in a chunk's output: a path of a hundred thousand names would be larger than the text. */
function createPlaces(): (parent: number, name: string) => number {
  const numbers = new Map<string, number>();
  return (parent, name) => {
    const path = `${parent}/${name}`;
    const known = numbers.get(path);
    if (known !== undefined) return known;
    if (numbers.size >= maxPlaces) return parent;
    const next = numbers.size + 1;
    numbers.set(path, next);
    return next;
  };
}

/** At most `cap` characters are collected. What comes later is not indexed, but saved. */
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
