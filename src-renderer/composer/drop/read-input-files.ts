import type { DroppedFiles } from './dropped-files.ts';
import { plainTextOf, promisesInputs } from './file-text.ts';
import { maxBytes, type SkippedFile } from './skipped-files.ts';

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
