import { marks, type Mark } from '../../src-preload/judgement.ts';

/**
 * The mark that Alt and a digit give; null for any other key. By the key's place, because macOS types signs with Alt.
 */
export function markOfKey(
  event: Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): Mark | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return marks.find((mark) => event.code === `Digit${mark}`) ?? null;
}
