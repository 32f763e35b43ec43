import { marks, type Mark } from '../../src-preload/judgement.ts';
import { hasCommandKey } from '../design/platform.ts';

/** The chord of a key press, as commands write it: `Ctrl+K`, `Shift+E`, `?`, `.`. */
export function chordOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const name = event.key === 'Enter' ? '↵' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isLetter = /^[A-Z]$/.test(name);
  // Shift is part of the chord of a letter and of a named key. In `?` it is implied.
  const hasShift = event.shiftKey && (isLetter || event.key.length > 1);
  return [hasCommandKey(event) && 'Ctrl', event.altKey && 'Alt', hasShift && 'Shift', name]
    .filter((part) => part !== false)
    .join('+');
}

/** What `markOfKey` reads of a key press. */
export type PressedKey = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** The mark for Alt and a digit, or null. By the key's position, because Alt changes the character on macOS. */
export function markOfKey(event: PressedKey): Mark | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return marks.find((mark) => event.code === `Digit${mark}`) ?? null;
}
