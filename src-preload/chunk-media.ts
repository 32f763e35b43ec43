import { maxImages } from './base64-images.ts';
import { mayHaveMedia, mediaInJson, type MediaInJson, type MediaKind } from './base64-media.ts';
import { bytesIn, isLongEnough } from './base64.ts';
import { parseJson } from './json-spans.ts';
import { isComplete, runOfData } from './media-run.ts';
import { mediaCaption } from './messages/image.ts';
import { textOfOutput } from './stream-text.ts';

/** The images, sounds and videos in the output of one chunk of a stream. */
export interface ChunkMedia {
  /** What each of them is that the Output tab shows, in their order. */
  kinds: readonly MediaKind[];
  /** The output with a few words in place of the data of each. */
  shownJson: string;
  captions: readonly string[];
}

/**
 * Finds the images, sounds and videos in one chunk's output, as the Output tab does in a body: anywhere in it, by their
 * bytes. Null if there are none. A chunk whose text is only the beginning of one has none, because the following chunks
 * have the rest (`media-run.ts`).
 */
export function chunkMedia(outputJson: string): ChunkMedia | null {
  if (!isLongEnough(outputJson) || !mayHaveMedia(outputJson)) return null;
  const parts: string[] = [];
  const captions: { text: string; kind: MediaKind }[] = [];
  let from = 0;
  let last: { found: MediaInJson; base64: string } | null = null;
  for (const found of mediaInJson(outputJson)) {
    // The rest of a text that quotes one.
    if (found.from < from) continue;
    const base64 = found.base64();
    const caption = mediaCaption(found.facts, bytesIn(base64));
    parts.push(outputJson.slice(from, found.from), caption);
    captions.push({ text: caption, kind: found.facts.kind });
    from = found.to;
    last = { found, base64 };
  }
  if (last === null) return null;
  if (!isComplete(runOfData(last.found.facts, last.base64)) && isEndOfText(last.base64, outputJson)) return null;
  const shownJson = parts.join('') + outputJson.slice(from);
  const counts = countStrings(shownJson, new Set(captions.map(({ text }) => text)));
  const kinds: MediaKind[] = [];
  for (const { text, kind } of captions) {
    const count = counts.get(text) ?? 0;
    if (count > 0 && kinds.length < maxImages) kinds.push(kind);
    counts.set(text, count - 1);
  }
  return kinds.length === 0 ? null : { kinds, shownJson, captions: captions.map(({ text }) => text) };
}

/** Whether the output's text ends with this data, so that it may continue in the next chunk. */
function isEndOfText(base64: string, outputJson: string): boolean {
  const text = textOfOutput(parseJson(outputJson));
  return text !== null && text.slice(-200).replaceAll(/\s+/g, '').endsWith(base64.slice(-24));
}

const nestedJson = /^\s*[[{]/;

/**
 * How many strings of JSON are each of these texts, also those in JSON that is in a string. What is in a text that only
 * quotes JSON is not counted, and neither are names.
 */
function countStrings(json: string, wanted: ReadonlySet<string>): Map<string, number> {
  const open: unknown[] = [parseJson(json)];
  const counts = new Map<string, number>();
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      if (wanted.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
      else if (nestedJson.test(value.slice(0, 100))) open.push(objectOf(value));
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) open.push(member);
    }
  }
  return counts;
}

/** The array or object that a string is in JSON. Null for any other. */
function objectOf(text: string): object | null {
  const value = parseJson(text);
  return typeof value === 'object' ? value : null;
}
