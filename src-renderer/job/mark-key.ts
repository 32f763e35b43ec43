import { marks, type Mark } from '../../src-preload/judgement.ts';

/** The mark for Alt and a digit, or null. By the key's position, because Alt changes the character on macOS. */
export function markOfKey(
  event: Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): Mark | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return marks.find((mark) => event.code === `Digit${mark}`) ?? null;
}
