import { expect, test } from 'vitest';
import { binKeyOf } from '../../../../src-renderer/bin/bin-pane.tsx';

type Press = Parameters<typeof binKeyOf>[0];

const pressed = (key: string, patch: Partial<Press> = {}): ReturnType<typeof binKeyOf> =>
  binKeyOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...patch });

test('the keys of a row in the bin', () => {
  expect(['ArrowDown', 'j', 'ArrowUp', 'K'].map((key) => pressed(key))).toEqual([
    'next',
    'next',
    'previous',
    'previous',
  ]);
  expect(['Enter', 'r', 'Delete', 'Backspace', 'x'].map((key) => pressed(key))).toEqual([
    'restore',
    'restore',
    'ask-to-delete',
    'ask-to-delete',
    null,
  ]);
});

test('a key that is held restores one job, and moves on and on', () => {
  expect(pressed('r', { repeat: true })).toBe('held');
  expect(pressed('Enter', { repeat: true })).toBe('held');
  expect(pressed('ArrowDown', { repeat: true })).toBe('next');
});

test('Ctrl K is the palette, and no other chord acts on the row', () => {
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])
    expect(
      ['k', 'r', 'Delete'].map((key) => pressed(key, { [held]: true })),
      `with ${held}`,
    ).toEqual([null, null, null]);
});
