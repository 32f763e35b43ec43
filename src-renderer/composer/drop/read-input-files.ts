import type { DroppedFiles } from './dropped-files.ts';
import { plainTextOf, promisesInputs } from './file-text.ts';
import { maxBytes, type LeftOut } from './left-out.ts';

/** The text of a file with inputs. */
export interface InputFile {
  name: string;
  text: string;
}

/** Reads the files whose names suggest inputs, in their order, and says which were left out. */
export async function readInputFiles({
  files,
  unreadable,
}: Pick<DroppedFiles, 'files' | 'unreadable'>): Promise<{ read: InputFile[]; left: LeftOut[] }> {
  const read: InputFile[] = [];
  const left: LeftOut[] = unreadable.map((name) => ({ name, reason: 'unreadable' }));
  let bytes = 0;
  for (const file of files) {
    const { name } = file;
    if (!promisesInputs(name)) left.push({ name, reason: 'kind' });
    else if (bytes + file.size > maxBytes) left.push({ name, reason: 'size' });
    else {
      bytes += file.size;
      const content = await contentOf(file);
      const text = content === null ? null : plainTextOf(content);
      if (content === null) left.push({ name, reason: 'unreadable' });
      else if (text === null) left.push({ name, reason: 'text' });
      else if (text.trim() === '') left.push({ name, reason: 'empty' });
      else read.push({ name, text });
    }
  }
  return { read, left };
}

/** Null if it cannot be read, because it was moved or may not be read. */
async function contentOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return null;
  }
}
