import { marks, type Mark } from '../../src-preload/judgement.ts';

/** What `markOfKey` reads of a key press. */
export type PressedKey = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** The mark for Alt and a digit, or null. By the key's position, because Alt changes the character on macOS. */
export function markOfKey(event: PressedKey): Mark | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return marks.find((mark) => event.code === `Digit${mark}`) ?? null;
}
