import type { DroppedFiles } from './dropped-files.ts';
import { plainTextOf, promisesInputs } from './file-text.ts';
import { skippedText } from '../../messages/composer/drop.ts';

/** The most bytes of all files of a drop. More would take too much memory. */
export const maxBytes = 200_000_000;

/** Why a file was skipped. `rows`: it was read, but some of its rows are invalid. */
type SkipReason = 'kind' | 'size' | 'unreadable' | 'text' | 'empty' | 'rows';

/** A file, or some rows of one, that did not become inputs. */
export interface SkippedFile {
  name: string;
  reason: SkipReason;
  /** For `rows`: how many, and what is wrong with the first. */
  rows?: { count: number; line: number; message: string };
}

const maxNames = 5;

/** `a.png, b.png, …`: the first names. Pure. */
export function firstNames(names: readonly string[]): string {
  return `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}`;
}

/** What was skipped and why: a sentence for each reason, then one for each file with invalid rows. Pure. */
export function skippedDetail(skipped: readonly SkippedFile[]): string {
  const reasons = (['kind', 'size', 'unreadable', 'text', 'empty'] as const).flatMap((reason) => {
    const names = skipped.filter((each) => each.reason === reason).map(({ name }) => name);
    return names.length === 0 ? [] : [skippedText[reason](firstNames(names), maxBytes)];
  });
  const files = skipped.flatMap(({ name, rows }) => (rows === undefined ? [] : [{ name, ...rows }]));
  const rows = files
    .slice(0, maxNames)
    .map(({ name, count, line, message }) => skippedText.rows(name, count, line, message));
  const more = files.length > maxNames ? [skippedText.otherFiles] : [];
  return [...reasons, ...rows, ...more].join(' ');
}

/** The text of a file with inputs. */
export interface InputFile {
  name: string;
  text: string;
}

/** Reads the files whose names suggest inputs, in their order, and says which were skipped. */
export async function readInputFiles({
  files,
  unreadable,
}: Pick<DroppedFiles, 'files' | 'unreadable'>): Promise<{ read: InputFile[]; skipped: SkippedFile[] }> {
  const read: InputFile[] = [];
  const skipped: SkippedFile[] = unreadable.map((name) => ({ name, reason: 'unreadable' }));
  let bytes = 0;
  for (const file of files) {
    const { name } = file;
    if (!promisesInputs(name)) skipped.push({ name, reason: 'kind' });
    else if (bytes + file.size > maxBytes) skipped.push({ name, reason: 'size' });
    else {
      bytes += file.size;
      const content = await contentOf(file);
      const text = content === null ? null : plainTextOf(content);
      if (content === null) skipped.push({ name, reason: 'unreadable' });
      else if (text === null) skipped.push({ name, reason: 'text' });
      else if (text.trim() === '') skipped.push({ name, reason: 'empty' });
      else read.push({ name, text });
    }
  }
  return { read, skipped };
}

/** Null if it cannot be read, because it was moved or may not be read. */
async function contentOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return null;
  }
}
