import { batchSectionText } from '../../messages/composer/batch.ts';

/** The name of a batch that the user did not name: its file, or else the time. */
export function defaultName(fileName: string | null, nowMs: number): string {
  const plain = fileName?.replace(/\.[a-z0-9]{1,6}$/i, '').trim() ?? '';
  return plain === '' ? batchSectionText.unnamed(nowMs) : plain.slice(0, 120);
}
