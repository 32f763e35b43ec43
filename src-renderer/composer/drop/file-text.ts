import type { SubmitOperation } from '../../../src-preload/job.ts';
import { payloadLimitBytes } from '../../../src-preload/job-bounds.ts';
import { parseJson, isJsonObject } from '../../../src-preload/json-spans.ts';
import { fileSizeText } from '../../messages/composer/drop.ts';
import { detect } from '../bulk/read-inputs.ts';
import { withoutMark } from '../read-csv.ts';

/** The kind of a dropped text file: one input, many, or any other text. */
export type TextFileKind = 'input' | 'inputs' | 'text';

const listNames = /\.(?:ndjson|jsonl|csv|tsv)$/i;
const eitherNames = /\.(?:json|txt)$/i;

/** Whether a file's name suggests inputs, so that its text should be read as such. Pure. */
export function promisesInputs(name: string): boolean {
  return listNames.test(name) || eitherNames.test(name);
}

/** The kind of such a file's text. A JSON object is one input, other rows are many. Pure. */
export function kindOfText(name: string, text: string): TextFileKind {
  const plain = withoutMark(text);
  if (isJsonObject(parseJson(plain))) return 'input';
  if (listNames.test(name)) return 'inputs';
  return detect(plain) === null ? 'text' : 'inputs';
}

/** The text in a file's bytes: valid UTF-8 without control characters. Null if it is not a text. Pure. */
export function plainTextOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- these are what tells a text from other bytes
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The size of a file in base64. Pure. */
export function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * Why a file is too large beside an input of `inputBytes`, or null (spec: Limits; ruling 16). `isHint`: it can be sent
 * with the other operation. Pure.
 */
export function sizeProblem(
  file: { name: string; size: number },
  inputBytes: number,
  operation: SubmitOperation,
): { message: string; isHint: boolean } | null {
  const bytes = inputBytes + base64Bytes(file.size);
  const sizes = [file.name, file.size, base64Bytes(file.size)] as const;
  if (bytes >= payloadLimitBytes.runsync) return { message: fileSizeText.tooLarge(...sizes), isHint: false };
  if (operation === 'run' && bytes >= payloadLimitBytes.run)
    return { message: fileSizeText.tooLargeForRun(...sizes), isHint: true };
  return null;
}
