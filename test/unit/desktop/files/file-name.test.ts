import { describe, expect, it } from 'vitest';
import { fileNameOf } from '../../../../src-main/desktop/files/file-name.ts';

describe('the name of a saved file', () => {
  it.each([
    ['report.json', 'report.json'],
    ['../../etc/passwd', '-..-etc-passwd'],
    ['a/b\\c:d*e?.png', 'a-b-c-d-e-.png'],
    ['größe – 日本.txt', 'größe - 日本.txt'],
    [`${'long '.repeat(40)}.json`, `${'long '.repeat(15).trim()}.json`],
    [`no-ending-${'x'.repeat(200)}`, `no-ending-${'x'.repeat(70)}`],
    ['ends with dots...', 'ends with dots'],
    // Windows takes these for devices, with any ending.
    ['CON.png', '_CON.png'],
    ['nul', '_nul'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['console.png', 'console.png'],
  ])('%j is %j', (name, expected) => {
    expect(fileNameOf(name)).toBe(expected);
  });

  it('is never half of a character, and never empty', () => {
    expect(fileNameOf(`${'x'.repeat(79)}𝒳𝒳.png`).isWellFormed()).toBe(true);
    expect(fileNameOf('///')).toBe('-');
    expect(fileNameOf(' .. ')).not.toBe('');
  });
});
