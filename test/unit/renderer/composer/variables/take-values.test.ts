import { expect, test } from 'vitest';
import { valuesFromFile } from '../../../../../src-renderer/composer/variables/take-values.ts';

test('a table gives each variable the column under its name', () => {
  const table = '\u{feff}seed;steps;note\n901;20;"first; one"\n902;;x\n"903";24;\n';
  expect([...valuesFromFile(table, ['steps', 'seed', 'size'])]).toEqual([
    ['steps', ['20', '24']],
    ['seed', ['901', '902', '903']],
  ]);
});

test('a plain list gives the only variable one value per line, even with commas in them', () => {
  expect([...valuesFromFile('a red, round kettle\r\n\r\n a mug \n', ['object'])]).toEqual([
    ['object', ['a red, round kettle', 'a mug']],
  ]);
});

test('a file without a matching column gives several variables nothing', () => {
  expect(valuesFromFile('1\n2\n', ['seed', 'steps']).size).toBe(0);
  expect(valuesFromFile('seed,steps\n', ['seed', 'steps']).size).toBe(0);
  expect(valuesFromFile('', ['seed']).size).toBe(0);
});
