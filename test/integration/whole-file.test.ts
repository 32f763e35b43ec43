import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeProblem, writeWholeFile } from '../../src-main/whole-file.ts';
import { modeOf } from '../kit/file-mode.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'jobdeck-whole-file-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file that is saved', () => {
  it('replaces the former one, and leaves nothing beside it', async () => {
    const path = join(folder, 'output.json');
    await writeFile(path, 'the former output, which is longer');
    await writeWholeFile(path, Buffer.from('new'));
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['output.json']);
  });

  it.skipIf(process.platform === 'win32')(
    'is only for this user on request, even if it replaces one that was not',
    async () => {
      const path = join(folder, 'key.sealed');
      await writeFile(path, 'the former key', { mode: 0o644 });
      await writeWholeFile(path, Buffer.from('new'), { mode: 0o600 });
      expect(modeOf(path, 0o600)).toBe(0o600);
    },
  );

  it('is refused if its folder does not exist', async () => {
    await expect(writeWholeFile(join(folder, 'none', 'output.json'), Buffer.from('new'))).rejects.toThrow('ENOENT');
  });

  it.runIf(process.platform === 'linux')('reports a full disk, even from another thread', async () => {
    const full: unknown = await writeFile('/dev/full', 'a').catch((error: unknown) => error);
    expect(writeProblem(full)).toBe('The disk is full. Free some space, or choose another disk.');
    expect(writeProblem(new Error(full instanceof Error ? full.message : ''))).toBe(writeProblem(full));
    expect(writeProblem(new Error('Something else'))).toBe('Something else');
  });

  // Needs a file system of its own, which only root may mount.
  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'that does not fit on the disk leaves the former one unchanged',
    async ({ skip }) => {
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
      } catch {
        skip('this container may not mount');
      }
      try {
        const path = join(folder, 'output.json');
        await writeFile(path, 'the former output');
        await expect(writeWholeFile(path, Buffer.alloc(1_000_000))).rejects.toThrow('ENOSPC');
        expect(await readFile(path, 'utf8')).toBe('the former output');
        expect(await readdir(folder)).toEqual(['output.json']);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );
});
