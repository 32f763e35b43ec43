import { imageFacts, type ImageFormat } from '../../../src-preload/image-bytes.ts';
import { formatBytes } from '../../../src-preload/format.ts';
import { parseJson, skipSpace, stringEnd } from '../../../src-preload/json-spans.ts';
import { textOfOutput } from '../../../src-preload/stream-text.ts';

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

/** Shorter texts are words: the smallest PNG has 67 bytes. */
const minBase64Chars = 48;
/** Enough for any header except that of a JPEG with large metadata. */
const headerChars = 262_144;
const dataUrl = /^data:(?:[a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*;base64,/i;
const imageStart = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
const base64Only = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a body for a report. JSON is indented and otherwise unchanged, so that large numbers keep their digits; text
 * that came alone or in pieces is joined. Images are recognised by their bytes.
 */
export function readBody(text: string): ReportBody {
  const value = parseJson(text);
  if (value === undefined) return { text, isProse: true, images: [] };
  const images: ReportImage[] = [];
  const json = indented(text, images);
  const prose = images.length > 0 ? null : proseOf(value);
  return prose === null ? { text: json, isProse: false, images } : { text: prose, isProse: true, images };
}

/** A text alone, or an array of its pieces. An object may contain more than its text. */
function proseOf(value: unknown): string | null {
  return typeof value === 'string' || Array.isArray(value) ? textOfOutput(value) : null;
}

/** Indents valid JSON by two spaces and removes its images, without recursion. */
function indented(text: string, images: ReportImage[]): string {
  const parts: string[] = [];
  let depth = 0;
  let at = skipSpace(text, 0);
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
  while (at < text.length) {
    const char = text.charAt(at);
    let next = at + 1;
    if (char === '"') {
      next = stringEnd(text, at);
      parts.push(stringOf(text.slice(at, next), images));
    } else if (char === '{' || char === '[') {
      const inside = skipSpace(text, next);
      const isEmpty = text[inside] === '}' || text[inside] === ']';
      if (isEmpty) {
        parts.push(char, text.charAt(inside));
        next = inside + 1;
      } else {
        depth += 1;
        parts.push(char, newLine());
      }
    } else if (char === '}' || char === ']') {
      depth -= 1;
      parts.push(newLine(), char);
    } else if (char === ',') parts.push(char, newLine());
    else if (char === ':') parts.push(': ');
    else parts.push(char);
    at = skipSpace(text, next);
  }
  return parts.join('');
}

/** Deeper lines are not indented further, because a thousand levels would be a million blanks. */
const deepestIndent = 40;

function stringOf(quoted: string, images: ReportImage[]): string {
  const image = imageOf(quoted);
  if (image === null) return quoted;
  images.push(image);
  return `(image ${images.length}: ${image.caption})`;
}

function imageOf(quoted: string): ReportImage | null {
  if (quoted.length < minBase64Chars) return null;
  const start = quoted.slice(1, 300).replaceAll('\\/', '/');
  const prefix = dataUrl.exec(start)?.[0];
  if (prefix === undefined && !imageStart.test(start)) return null;
  const plain = quoted
    .slice(1, -1)
    .replaceAll('\\/', '/')
    .replaceAll(/\\[nr]/g, '');
  const base64 = plain.slice(prefix?.length ?? 0);
  if (!base64Only.test(base64)) return null;
  const facts = imageFacts(Buffer.from(base64.slice(0, headerChars), 'base64'));
  if (facts === null || facts.width === 0 || facts.height === 0) return null;
  const { format, width, height } = facts;
  const size = width === null || height === null ? [] : [`${width} × ${height}`];
  const caption = [format.toUpperCase(), ...size, formatBytes(Buffer.byteLength(base64, 'base64'))];
  return { format, base64, caption: caption.join(', ') };
}
