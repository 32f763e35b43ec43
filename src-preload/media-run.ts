import { bytesOf, dataUrlPrefix, isLongEnough } from './base64.ts';
import { mediaOf, mediaStart, type MediaFacts } from './base64-media.ts';
import { hasImageEnd, imageLength } from './image-bytes.ts';

/**
 * An image, a sound or a video that comes in the texts of consecutive chunks, as far as it came. It has what is needed
 * to recognise the end, and none of the data.
 */
export interface MediaRun {
  /** Null until there is enough of it. */
  facts: MediaFacts | null;
  isDeclared: boolean;
  /** The first characters of the base64 while `facts` is null. Then empty. */
  head: string;
  /** How many chunks it came in. */
  chunks: number;
  /** How many characters of base64 came, without line ends. */
  chars: number;
  /** The last of them, from a place that is a multiple of four. */
  tail: string;
  /** Where it ends in bytes, if its header says so. */
  endBytes: number | null;
}

/** A longer one stays text: it would be in the memory of a window while it comes. In characters. */
const maxRunChars = 40_000_000;
const maxRunChunks = 100_000;
/** Enough to find the end of an image. A multiple of four. */
const tailChars = 64;
/** Enough for the first bytes of a file. */
const headChars = 2_048;
/** Enough for the sizes at the beginning of a file's parts. */
const partsChars = 16_384;
/** A shorter beginning without the form of a data URL is a word. */
const minBeginning = 8;

const onlyBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The run that a chunk's text begins, or null if it begins none. */
export function beginRun(text: string): MediaRun | null {
  const prefix = dataUrlPrefix(text);
  if (prefix === null) {
    if (text.length < minBeginning || !mediaStart.test(text)) return null;
    // Two slashes begin an MP3, and many words.
    if (text.startsWith('//') && !isLongEnough(text)) return null;
  }
  const isDeclared = prefix !== null;
  const run = { facts: null, isDeclared, head: '', chunks: 0, chars: 0, tail: '', endBytes: null };
  return continueRun(run, text.slice(prefix?.length ?? 0));
}

/** The run with the text of the next chunk, or null if that does not belong to it. */
export function continueRun(run: MediaRun, text: string): MediaRun | null {
  const data = dataOf(text, run.tail);
  if (data === null) return null;
  const chunks = run.chunks + 1;
  const chars = run.chars + data.length;
  if (chars > maxRunChars || chunks > maxRunChunks) return null;
  const { facts, head, endBytes } = known(run, run.facts === null ? run.head + data : '');
  if (facts === null && isLongEnough(head)) return null;
  const tail = chars === 0 ? '' : tailOf(run.tail + data.slice(-2 * tailChars), chars);
  return { ...run, facts, head, endBytes, chunks, chars, tail };
}

/** A text without line ends, or null if it is not base64 after `before`, which may end with half of the padding. */
function dataOf(text: string, before: string): string | null {
  if (onlyBase64.test(text) && !before.endsWith('=')) return text;
  const data = text.replaceAll(/\s+/g, '');
  return onlyBase64.test(before.slice(-4) + data) ? data : null;
}

/** Base64 that came in one piece, as a run. Only its beginning and its end are read. */
export function runOfData(facts: MediaFacts, base64: string): MediaRun {
  const data = /\s/.test(base64.slice(0, partsChars)) ? base64.replaceAll(/\s+/g, '') : base64;
  return {
    facts,
    isDeclared: false,
    head: '',
    chunks: 1,
    chars: data.length,
    tail: tailOf(data, data.length),
    endBytes: lengthOf(facts, bytesOf(data.slice(0, partsChars))),
  };
}

/** The last characters of base64 that is `chars` long in all. `end` has at least as many of them. */
function tailOf(end: string, chars: number): string {
  return end.slice(-(chars - Math.max(0, Math.floor(chars / 4) * 4 - tailChars)));
}

function known(run: MediaRun, head: string): Pick<MediaRun, 'facts' | 'head' | 'endBytes'> {
  if (run.facts !== null || !isLongEnough(head)) return { facts: run.facts, head, endBytes: run.endBytes };
  const facts = mediaOf(head, run.isDeclared);
  if (facts === null) return { facts, head, endBytes: null };
  return { facts, head: '', endBytes: lengthOf(facts, bytesOf(head.slice(0, partsChars))) };
}

/** Sounds that are written while they are made have no length, or the largest one. */
const noLength = 0x7fff_0000;

function lengthOf({ extension }: MediaFacts, head: Uint8Array): number | null {
  if (extension !== 'wav') return imageLength(extension, head);
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(4, true) + 8;
  return bytes > 44 && bytes < noLength ? bytes : null;
}

/**
 * Whether its last byte came, as its bytes say; a sound or a video may only say it by the padding of its base64. False
 * if nothing says so: what follows decides.
 */
export function isComplete({ facts, chars, tail, endBytes }: MediaRun): boolean {
  if (facts === null) return false;
  const padding = tail.endsWith('==') ? 2 : tail.endsWith('=') ? 1 : 0;
  if (endBytes !== null && endBytes <= bytesOfRun({ chars, tail })) return true;
  if (facts.kind !== 'image') return padding > 0 && chars % 4 === 0;
  return hasImageEnd(facts.extension, bytesOf(tail));
}

/** How many bytes came. */
export function bytesOfRun({ chars, tail }: Pick<MediaRun, 'chars' | 'tail'>): number {
  const padding = tail.endsWith('==') ? 2 : tail.endsWith('=') ? 1 : 0;
  return Math.floor((chars * 3) / 4) - padding;
}

/**
 * Whether a chunk's text begins another one while a run is open. Two slashes may also be anywhere in base64, so they
 * only count after an MP3.
 */
export function beginsAnother(run: MediaRun, text: string): boolean {
  // The first data after a prefix.
  if (run.facts === null) return false;
  const prefix = dataUrlPrefix(text);
  if (prefix === null && !(isLongEnough(text) && mediaStart.test(text))) return false;
  if (text.startsWith('//') && run.facts.extension !== 'mp3') return false;
  const from = prefix?.length ?? 0;
  return mediaOf(text.slice(from, from + headChars), prefix !== null) !== null;
}

/**
 * What a run is that nothing else follows: a sound or a video may be whole without saying so. Of an image the end is
 * missing, so it is text.
 */
export function isMediaAsItIs({ facts }: MediaRun): boolean {
  return facts !== null && facts.kind !== 'image';
}
