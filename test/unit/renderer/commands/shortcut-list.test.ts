import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortcutGroups } from '../../../../src-renderer/commands/shortcut-list.ts';
import { projectDir } from '../../../kit/electron-binary.ts';

/** Keys that a control shows beside itself where they are obvious there: they need no line in the sheet. */
const shownInPlace = ['↑', '↓', '←', '→', 'Tab', 'Esc'];

/** Every chord that a command or a control names in the sources. */
function namedChords(): string[] {
  const chords = globSync('src-renderer/**/*.{ts,tsx}', { cwd: projectDir }).flatMap((path) =>
    [...readFileSync(join(projectDir, path), 'utf8').matchAll(/\bkeys(?:=\{|: )\[('[^\]]*')\]/g)].map(([, list = '']) =>
      [...list.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, key = '']) => key),
    ),
  );
  return [...new Set(chords.filter((keys) => !keys.every((key) => shownInPlace.includes(key))).map(sameKeys))];
}

function sameKeys(keys: readonly string[]): string {
  return keys.join(' ');
}

test('every key that the windows name is in the sheet of shortcuts', () => {
  // Two keys in a row are two chords of a line.
  const listed = new Set(
    shortcutGroups.flatMap(({ lines }) =>
      lines.flatMap(([, ...chords]) => [...chords.map(sameKeys), sameKeys(chords.flat())]),
    ),
  );
  const named = namedChords();
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((chord) => !listed.has(chord))).toEqual([]);
});
