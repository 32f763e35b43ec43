import { imagesInJson } from '../../../src-preload/base64-images.ts';
import { formatJson } from '../../../src-preload/format-json.ts';
import type { ImageFormat } from '../../../src-preload/image-bytes.ts';
import { decodeString, parseJson } from '../../../src-preload/json-spans.ts';
import { imageCaption } from '../../../src-preload/messages/image.ts';
import { textOfOutput } from '../../../src-preload/stream-text.ts';
import { reportText } from '../../messages/report.ts';

/** An image of a body in a report. */
export interface ReportImage {
  format: ImageFormat;
  /** Nothing but letters, digits, `+`, `/` and `=`. */
  base64: string;
  /** Such as `PNG, 512 × 512, 812 KB`. */
  caption: string;
}

/** A body for a report: its text, with a placeholder for each image, and the images. */
export interface ReportBody {
  text: string;
  /** False for JSON, which is shown in a code font. */
  isProse: boolean;
  images: ReportImage[];
}

const base64Only = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a body for a report. JSON is indented and otherwise unchanged, so that large numbers keep their digits; text
 * that came alone or in pieces is joined. Images are recognised by their bytes.
 */
export function readBody(text: string): ReportBody {
  const value = parseJson(text);
  if (value === undefined) return { text, isProse: true, images: [] };
  const images: ReportImage[] = [];
  const json = formatJson(text, (quoted) => stringOf(quoted, images));
  const prose = images.length > 0 ? null : proseOf(value);
  return prose === null ? { text: json, isProse: false, images } : { text: prose, isProse: true, images };
}

/** A text alone, or an array of its pieces. An object may contain more than its text. */
function proseOf(value: unknown): string | null {
  return typeof value === 'string' || Array.isArray(value) ? textOfOutput(value) : null;
}

/** A string of JSON, with a placeholder for each image in it: it is one, or is itself JSON with images. */
function stringOf(quoted: string, images: ReportImage[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const found of imagesInJson(quoted)) {
    // Only as JSON; a text that quotes an image stays as it is.
    if (found.start > 0 && from === 0 && !isJson(decodeString(quoted))) return quoted;
    const base64 = found.base64();
    if (!base64Only.test(base64)) continue;
    images.push({
      format: found.facts.format,
      base64,
      caption: imageCaption(found.facts, Buffer.byteLength(base64, 'base64')),
    });
    parts.push(quoted.slice(from, found.start), reportText.imageHere(images.length, images.at(-1)?.caption ?? ''));
    from = found.end;
  }
  return from === 0 ? quoted : parts.join('') + quoted.slice(from);
}

/** Whether a string is an array or an object in JSON, as the Output tab looks into. */
function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
}
