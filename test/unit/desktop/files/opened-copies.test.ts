import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenedCopies, type OpenedCopies } from '../../../../src-main/desktop/files/opened-copies.ts';
import { createVirtualClock } from '../../../kit/clock.ts';
import { modeOf } from '../../../kit/file-mode.ts';

let base: string;
let folder: string;
let opened: string[];
let refusal: string;
let copies: OpenedCopies;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'opened-copies-'));
  folder = join(base, 'opened');
  opened = [];
  refusal = '';
  copies = createOpenedCopies({
    folder,
    openPath: (path) => {
      opened.push(path);
      return Promise.resolve(refusal);
    },
    now: Date.now,
  });
});
afterEach(() => rm(base, { recursive: true, force: true }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
test('a copy is only for this user, read-only, and a newer one replaces it', async () => {
  for (const text of ['{"a":1}', '{"a":2}'])
    expect(await copies.open({ name: 'output-job-1', format: 'json', content: bytesOf(text) })).toMatchObject({
      ok: true,
    });
  const path = join(folder, 'output-job-1.json');
  expect(opened).toEqual([path, path]);
  expect(await readFile(path, 'utf8')).toBe('{"a":2}');
  expect([modeOf(folder, 0o700), modeOf(path, 0o400)]).toEqual([0o700, 0o400]);
});

test('whatever the service’s file name, the file is in its folder and ends with .json or .txt', async () => {
  const opens = async (name: string, format: 'json' | 'txt'): Promise<void> => {
    expect(await copies.open({ name, format, content: bytesOf('#!/bin/sh') })).toMatchObject({ ok: true });
    const path = opened.at(-1) ?? '';
    expect(dirname(path)).toBe(folder);
    expect(extname(path)).toBe(`.${format}`);
    expect(basename(path).split('.')).toHaveLength(2);
    expect(basename(path)).toMatch(/^[\p{L}\p{N}_]/u);
    expect((await stat(path)).mode & 0o111).toBe(0);
  };
  for (const name of ['a.bat', '../../x.sh', 'C:\\x.exe', '.desktop', 'a.json.cmd', 'x\0', 'a\u202Etxt.exe', '-rf', ''])
    await opens(name, 'txt');
  const anyName = fc.string({ unit: 'binary', maxLength: 60 });
  await fc.assert(fc.asyncProperty(anyName, fc.constantFrom('json', 'txt'), opens), { numRuns: 15 });
});

test('copies are deleted after a day, at the end, and at the next start', async () => {
  await copies.open({ name: 'old', format: 'txt', content: bytesOf('a') });
  await copies.open({ name: 'new', format: 'txt', content: bytesOf('b') });
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(folder, 'old.txt'), yesterday, yesterday);
  await copies.open({ name: 'newest', format: 'txt', content: bytesOf('c') });
  expect((await readdir(folder)).toSorted()).toEqual(['new.txt', 'newest.txt']);
  await writeFile(join(folder, 'left by a crash.txt.part'), '');
  await copies.clear();
  expect(await readdir(base)).toEqual([]);
  await copies.clear();
});

test('a name is short enough for every system, and never a Windows device name', async () => {
  for (const name of [
    '字'.repeat(200),
    '𝒜'.repeat(100),
    `x${'𝒜'.repeat(100)}`,
    'x'.repeat(200),
    'con',
    'NUL',
    'Com1',
    'LPT³',
  ]) {
    expect(await copies.open({ name, format: 'json', content: bytesOf('1') })).toMatchObject({ ok: true });
    const path = opened.at(-1) ?? '';
    expect(await readFile(path, 'utf8')).toBe('1');
    expect(basename(path, '.json').toLowerCase()).not.toBe(name.toLowerCase());
  }
});

test('a copy that cannot be deleted blocks neither new copies nor the deletion of others', async () => {
  await copies.open({ name: 'b', format: 'txt', content: bytesOf('b') });
  // In place of one that a program holds, on Windows.
  await mkdir(join(folder, 'a.txt'));
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['a.txt', 'b.txt']) await utimes(join(folder, name), yesterday, yesterday);
  expect(await copies.open({ name: 'c', format: 'txt', content: bytesOf('c') })).toMatchObject({ ok: true });
  expect((await readdir(folder)).toSorted()).toEqual(['a.txt', 'c.txt']);
});

test('a program that keeps running delays neither other copies nor the end of Jobdeck', async () => {
  const started: string[] = [];
  copies = createOpenedCopies({
    folder,
    openPath: (path) => new Promise(() => void started.push(basename(path))),
    now: Date.now,
  });
  void copies.open({ name: 'a', format: 'txt', content: bytesOf('a') });
  void copies.open({ name: 'b', format: 'txt', content: bytesOf('b') });
  await expect.poll(() => started).toEqual(['a.txt', 'b.txt']);
  await copies.clear();
  expect(await readdir(base)).toEqual([]);
});

test('a program that keeps running counts as opened after four seconds, and its copy stays', async () => {
  const clock = createVirtualClock();
  const ends: ((refused: string) => void)[] = [];
  copies = createOpenedCopies({
    folder,
    openPath: () => new Promise((resolve) => void ends.push(resolve)),
    now: Date.now,
    after: clock.after,
  });
  const openOnce = async (text: string) => {
    const count = ends.length;
    const answers: unknown[] = [];
    const opening = copies.open({ name: 'a', format: 'txt', content: bytesOf(text) }).then((one) => answers.push(one));
    await expect.poll(() => ends.length).toBe(count + 1);
    await clock.advance(3_999);
    expect(answers).toEqual([]);
    await clock.advance(1);
    await opening;
    expect(answers).toMatchObject([{ ok: true }]);
  };
  await openOnce('first');
  await openOnce('second');
  // The program ends badly an hour later, which is not about opening.
  for (const end of ends) end('exit code 3');
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('second');
  expect(clock.pending()).toBe(0);
});

test('a folder that cannot be written, and a system without a program, are reported', async () => {
  refusal = 'No application found';
  expect(await copies.open({ name: 'a', format: 'json', content: bytesOf('1') })).toMatchObject({
    failure: { kind: 'storage', detail: 'No application found', message: expect.stringContaining('.json') },
  });
  await copies.clear();
  await chmod(base, 0o500);
  await writeFile(join(base, 'probe'), '').then(
    () => rm(join(base, 'probe')),
    async () => {
      expect(await copies.open({ name: 'a', format: 'json', content: bytesOf('1') })).toMatchObject({
        failure: { kind: 'storage', message: expect.stringContaining('Could not write a copy') },
      });
    },
  );
  await chmod(base, 0o700);
});
