/** What a key does in the window of a template. `held`: nothing, as it did what it does when it was pressed. */
export type TemplateKey = 'send' | 'held' | 'undo' | 'redo' | 'next-change';

/**
 * What a key does that is pressed with Ctrl, or Command on macOS, and without Alt. Null: nothing here. The draft is
 * sent once, however long the keys are held: after a refusal each repeat would send it again.
 */
export function templateKeyOf({
  key,
  shiftKey,
  repeat,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'repeat'>): TemplateKey | null {
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  if (shiftKey) return null;
  switch (letter) {
    case 's':
      return repeat ? 'held' : 'send';
    case 'y':
      return 'redo';
    case 'd':
      return 'next-change';
    default:
      return null;
  }
}
