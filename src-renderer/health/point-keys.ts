/**
 * The sample that the pressed key leads to, by its index, before the first one and after the last one too: arrows move
 * by one, with Shift by ten, Home and End to the ends. Null: it is no such key, as with the chords of the window.
 */
export function pointedBy(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  at: number,
  last: number,
): number | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const step = press.shiftKey ? 10 : 1;
  switch (press.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - step;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + step;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
