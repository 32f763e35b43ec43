import { parseJson } from '../../../src-preload/json-spans.ts';
import { parsedChars, scanStrings, scannedChars, walkJson, withoutData } from './body-text.ts';
import { fieldBorder } from './words.ts';

/**
 * Collects the text of a stream. Pieces at the same place of each chunk's output belong together and are joined
 * directly, so that a word cut between two chunks is complete again. If a handler streams one whole word per chunk
 * (`{"word":"a"}`), letters meet at most joins. Then the words are also indexed separately.
 */
export interface StreamText {
  add(outputJson: string): void;
  /** How many characters were collected. */
  chars(): number;
  text(): string;
}

const piecesKept = 512;
const wordEnd = /[\p{L}\p{N}]$/u;
const wordStart = /^[\p{L}\p{N}]/u;

/** The text at one place of the chunks' output. */
interface PlaceText {
  /** The pieces joined directly. */
  joined: string;
  /** The pieces with a space after each. */
  spaced: string;
  /**
   * The newest pieces, not yet in the two texts, because fifty thousand small strings would take ten times the memory.
   */
  pieces: string[];
  first: string;
  /** Whether the last piece ended inside a word. */
  endsInWord: boolean;
  /** A role or a model's name is the same in every chunk and is kept once. */
  isConstant: boolean;
  /** How many pieces follow another one, and at how many of these joins two letters meet. */
  joins: number;
  joinsInWord: number;
}

function fold(placeText: PlaceText): void {
  placeText.joined += placeText.pieces.join('');
  placeText.spaced += `${placeText.pieces.join(' ')} `;
  placeText.pieces = [];
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
  const placeTexts = new Map<number, PlaceText>();
  const placeOf = createPlaces();
  let chars = 0;
  const isFull = (): boolean => chars >= cap;

  const addPiece = (place: number, piece: string): void => {
    const placeText = placeTexts.get(place);
    if (placeText === undefined) {
      placeTexts.set(place, {
        joined: '',
        spaced: '',
        pieces: [piece],
        first: piece,
        endsInWord: wordEnd.test(piece),
        isConstant: true,
        joins: 0,
        joinsInWord: 0,
      });
      chars += piece.length;
      return;
    }
    if (placeText.isConstant && piece === placeText.first && piece.trim().length > 1) return;
    placeText.isConstant = false;
    placeText.joins += 1;
    if (placeText.endsInWord && wordStart.test(piece)) placeText.joinsInWord += 1;
    placeText.endsInWord = wordEnd.test(piece);
    placeText.pieces.push(piece);
    if (placeText.pieces.length >= piecesKept) fold(placeText);
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
      [...placeTexts.values()]
        .map((placeText) => {
          fold(placeText);
          return placeText.joinsInWord * 2 > placeText.joins
            ? `${placeText.joined}${fieldBorder}${placeText.spaced}`
            : placeText.joined;
        })
        .join('\n'),
  };
}
