import { call } from '../bridge.ts';
import { callOrReport, orReport } from '../call-or-report.ts';
import { toast } from '../design/toast.tsx';
import { savedFileText } from '../messages/data/saved-file.ts';
import { inSlices } from '../design/in-slices.ts';

/** How many characters are encoded at a time. */
const partChars = 1_000_000;

/** Sends a file to main, which asks where to save it. Then shows that, with a button to open the folder. */
export function saveFile(name: string, content: Blob): void {
  void bytesOf(content).then(async (bytes) => {
    const saved = orReport(await call('app:saveFile', { name, bytes }));
    if (saved.ok && saved.value !== null) showSavedFile(saved.value);
  });
}

/**
 * Sends files to main, which asks for one folder and overwrites nothing in it. Then shows that, with a button to open
 * the folder.
 */
export async function saveFiles(files: readonly { name: string; content: Blob }[]): Promise<void> {
  const read = files.map(async ({ name, content }) => ({ name, bytes: await bytesOf(content) }));
  const saved = orReport(await call('app:saveFiles', { files: await Promise.all(read) }));
  const [first] = saved.ok ? (saved.value ?? []) : [];
  if (first !== undefined) showWhereSaved(savedFileText.savedFiles(files.length), first);
}

/** Shows that a file was saved, with a button to open its folder. */
export function showSavedFile(path: string): void {
  showWhereSaved(savedFileText.saved, path);
}

function showWhereSaved(message: string, path: string): void {
  toast(message, {
    glyph: 'done',
    action: { label: savedFileText.showInFolder, onSelect: () => callOrReport('app:showPath', { path }) },
  });
}

async function bytesOf(content: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await content.arrayBuffer());
}

/** Saves a text of any size without blocking the window. */
export function saveText(name: string, text: string, type: string): void {
  const parts: Blob[] = [];
  let at = 0;
  inSlices(
    () => {
      let end = Math.min(text.length, at + partChars);
      // Keeps the two halves of a surrogate pair together.
      if (end < text.length && isHighHalf(text.charCodeAt(end - 1))) end += 1;
      parts.push(new Blob([text.slice(at, end)]));
      at = end;
    },
    () => at >= text.length,
    (isDone) => {
      if (isDone) saveFile(name, new Blob(parts, { type }));
    },
  );
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
