/**
 * How many rows the pressed key moves in the list of causes: 1, -1, or 0 if it does not move, as with the chords of the
 * window.
 */
export function causeStepOf(press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): -1 | 0 | 1 {
  if (press.ctrlKey || press.metaKey || press.altKey) return 0;
  switch (press.key) {
    case 'ArrowDown':
    case 'j':
      return 1;
    case 'ArrowUp':
    case 'k':
      return -1;
    default:
      return 0;
  }
}
