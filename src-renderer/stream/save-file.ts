import { call } from '../bridge.ts';
import { orSay } from '../call-or-say.ts';
import { inSlices } from './use-text-rows.ts';

/** Characters made into bytes at a time. */
const partChars = 1_000_000;

/** Hands a file to main, which asks where to save it. */
export function saveFile(name: string, content: Blob): void {
  void content
    .arrayBuffer()
    .then(async (bytes) => orSay(await call('app:saveFile', { name, bytes: new Uint8Array(bytes) })));
}

/** Saves a text of any size without stopping the window. */
export function saveText(name: string, text: string, type: string): void {
  const parts: Blob[] = [];
  let at = 0;
  inSlices(
    () => {
      let end = Math.min(text.length, at + partChars);
      // The two halves of a character stay together.
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
