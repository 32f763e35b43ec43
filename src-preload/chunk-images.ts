import { bytesIn, imagesInJson, isLongEnough, isWhole, mayHaveImage, mostImages } from './base64-images.ts';
import type { ImageFacts } from './image-bytes.ts';
import { parseJson } from './json-spans.ts';
import { imageCaption } from './messages/image.ts';
import { textOfOutput } from './stream-text.ts';

/** The images in the output of one chunk of a stream. */
export interface ChunkImages {
  /** How many the Output tab shows. */
  count: number;
  /** The output with a few words in place of the data of each image. */
  shownJson: string;
  captions: readonly string[];
}

/**
 * Finds the images in one chunk's output, as the Output tab does in a body: anywhere in it, by their bytes. Null if
 * there are none. A chunk whose text is only the beginning of an image has none, because the following chunks have the
 * rest: they are one image when their text is joined.
 */
export function chunkImages(outputJson: string): ChunkImages | null {
  if (!isLongEnough(outputJson) || !mayHaveImage(outputJson)) return null;
  const parts: string[] = [];
  const captions: string[] = [];
  let from = 0;
  let last: { facts: ImageFacts; base64: string } | null = null;
  for (const image of imagesInJson(outputJson)) {
    // The rest of a text that quotes one.
    if (image.from < from) continue;
    const base64 = image.base64();
    const caption = imageCaption(image.facts, bytesIn(base64));
    parts.push(outputJson.slice(from, image.from), caption);
    captions.push(caption);
    from = image.to;
    last = { facts: image.facts, base64 };
  }
  if (last === null) return null;
  if (!isWhole(last.base64, last.facts) && isEndOfText(last.base64, outputJson)) return null;
  const shownJson = parts.join('') + outputJson.slice(from);
  const count = countStrings(shownJson, new Set(captions));
  return count === 0 ? null : { count: Math.min(count, mostImages), shownJson, captions };
}

/** Whether the output's text ends with this image, so that it may continue in the next chunk. */
function isEndOfText(base64: string, outputJson: string): boolean {
  const text = textOfOutput(parseJson(outputJson));
  return text !== null && text.slice(-200).replaceAll(/\s+/g, '').endsWith(base64.slice(-24));
}

const nestedJson = /^\s*[[{]/;

/**
 * How many strings of JSON are one of these texts, also those in JSON that is in a string. What is in a text that only
 * quotes JSON is not counted, and neither are names.
 */
function countStrings(json: string, wanted: ReadonlySet<string>): number {
  const open: unknown[] = [parseJson(json)];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      if (wanted.has(value)) count += 1;
      else if (nestedJson.test(value.slice(0, 100))) open.push(objectOf(value));
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) open.push(member);
    }
  }
  return count;
}

/** The array or object that a string is in JSON. Null for any other. */
function objectOf(text: string): object | null {
  const value = parseJson(text);
  return typeof value === 'object' ? value : null;
}
