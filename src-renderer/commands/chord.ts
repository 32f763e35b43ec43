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
