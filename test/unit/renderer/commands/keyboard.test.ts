import { expect, test } from 'vitest';
import { chordOf } from '../../../../src-renderer/commands/keyboard.ts';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  chordOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

test.each([
  [press('j'), 'J'],
  [press('E', { shiftKey: true }), 'Shift+E'],
  [press('k', { ctrlKey: true }), 'Ctrl+K'],
  [press('C', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+C'],
  [press('?', { shiftKey: true }), '?'],
  [press('.'), '.'],
  [press('Enter', { shiftKey: true }), 'Shift+↵'],
  [press('ArrowDown', { shiftKey: true }), 'Shift+ArrowDown'],
  [press(',', { ctrlKey: true }), 'Ctrl+,'],
  [press('x', { altKey: true }), 'Alt+X'],
])('%s is read as %s', (chord, wanted) => {
  expect(chord).toBe(wanted);
});
