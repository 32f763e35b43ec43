import { describe, expect, it, afterEach, beforeEach, test } from 'vitest';
import { fileNameOf, writeBeside } from '../../../../src-main/desktop/files/file-name.ts';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-beside-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a name in use gets a number, and the existing file stays', async () => {
  const paths: string[] = [];
  for (const text of ['one', 'two', 'three'])
    paths.push(await writeBeside(folder, 'kettle.png', new TextEncoder().encode(text)));
  expect(paths).toEqual(['kettle.png', 'kettle (2).png', 'kettle (3).png'].map((name) => join(folder, name)));
  expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['one', 'two', 'three']);
  expect(await readdir(folder)).toHaveLength(3);
});

test('a folder that is gone is an error', async () => {
  await expect(writeBeside(join(folder, 'gone'), 'a.png', new Uint8Array(1))).rejects.toThrow('ENOENT');
});
