import { expect, test } from 'vitest';
import { composerKeyOf } from '../../../../src-renderer/composer/composer-keys.ts';

function pressed(chord: string, repeat = false): ReturnType<typeof composerKeyOf> {
  const parts = chord.split(' ');
  return composerKeyOf({
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    repeat,
  });
}

test('the keys of the composer, and those that are not its own', () => {
  expect(pressed('Ctrl Enter')).toBe('submit');
  expect(pressed('Meta Enter')).toBe('submit');
  expect(pressed('Ctrl Shift Enter')).toBe('submit-and-stay');
  expect([pressed('Ctrl 1'), pressed('Ctrl 2')]).toEqual(['input', 'policy']);
  expect([pressed('Ctrl p'), pressed('Ctrl H')]).toEqual(['presets', 'history']);
  expect(['Enter', 'p', 'Ctrl Shift P', 'Ctrl Alt h', 'Ctrl x'].map((chord) => pressed(chord))).toEqual(
    Array.from({ length: 5 }, () => null),
  );
});

test('a job is submitted once, however long the keys are held', () => {
  expect(pressed('Ctrl Shift Enter', true)).toBe('held');
  expect(pressed('Ctrl Enter', true)).toBe('held');
});
