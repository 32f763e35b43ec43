/** Elements that need the arrow keys themselves: the slider of a sound, and the players of the browser. */
const movedByArrows: ReadonlySet<string> = new Set(['input', 'audio', 'video']);

/**
 * Which image the pressed key leads to: 1 for the next one, -1 for the previous one, 0 if it is no key of the gallery.
 * `focused`: the name of the element that has the focus.
 */
export function galleryStepOf(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  focused: string,
): -1 | 0 | 1 {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey || movedByArrows.has(focused)) return 0;
  if (press.key === 'ArrowRight') return 1;
  return press.key === 'ArrowLeft' ? -1 : 0;
}
