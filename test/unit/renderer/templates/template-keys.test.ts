import { expect, test } from 'vitest';
import { templateKeyOf } from '../../../../src-renderer/templates/template-keys.ts';

const pressed = (key: string, shiftKey = false, repeat = false): ReturnType<typeof templateKeyOf> =>
  templateKeyOf({ key, shiftKey, repeat });

test('the keys of the window, and those that are not its own', () => {
  expect(['s', 'z', 'y', 'd', 'x'].map((key) => pressed(key))).toEqual(['send', 'undo', 'redo', 'next-change', null]);
  expect(['S', 'Z', 'Y', 'D'].map((key) => pressed(key, true))).toEqual([null, 'redo', null, null]);
});

test('a draft is sent once, however long the keys are held; steps repeat', () => {
  expect(pressed('s', false, true)).toBe('held');
  expect([pressed('z', false, true), pressed('Z', true, true)]).toEqual(['undo', 'redo']);
});
