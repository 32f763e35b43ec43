/** What a key does with the row in focus. `held`: nothing, as it did what it does when it was pressed. */
export type BinKey = 'next' | 'previous' | 'restore' | 'ask-to-delete' | 'held';

/**
 * What the pressed key does. Null: nothing here, as with the chords of the window. The focus moves to the next row
 * when one is restored, so that a key that is held would restore them all.
 */
export function binKeyOf(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>,
): BinKey | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return null;
  // Caps Lock makes no difference.
  switch (press.key.length === 1 ? press.key.toLowerCase() : press.key) {
    case 'ArrowDown':
    case 'j':
      return 'next';
    case 'ArrowUp':
    case 'k':
      return 'previous';
    case 'Enter':
    case 'r':
      return press.repeat ? 'held' : 'restore';
    case 'Delete':
    case 'Backspace':
      return 'ask-to-delete';
    default:
      return null;
  }
}
