import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeBeside } from '../../../../src-main/desktop/files/write-beside.ts';

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
