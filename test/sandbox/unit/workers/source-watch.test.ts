import { pbkdf2 } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSourceWatch, fileState, type SourceWatch } from '../../../../src-main/sandbox/workers/source-watch.ts';

describe('source watch', () => {
  let folder: string;
  let path: string;
  let changes: string[];
  let onNext: () => void;
  let watch: SourceWatch;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'source-watch-'));
    path = join(folder, 'handler.mjs');
    writeFileSync(path, 'first');
    changes = [];
    onNext = () => undefined;
    watch = createSourceWatch((changed) => {
      changes.push(changed);
      onNext();
    });
  });
  afterEach(() => {
    watch.close();
    rmSync(folder, { recursive: true });
  });

  /** Resolves at the next change reported after `act`. */
  function changeAfter(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      onNext = resolve;
      act();
    });
  }

  function add(...paths: string[]): void {
    for (const each of paths) watch.add({ path: each, state: fileState(each) });
  }

  it('notices a write to a file', async () => {
    add(path);
    await changeAfter(() => writeFileSync(path, 'second'));
    expect(changes).toEqual([path]);
  });

  it('notices a file replaced by renaming, repeatedly', async () => {
    add(path);
    for (const text of ['second', 'third', 'fourth']) {
      await changeAfter(() => {
        writeFileSync(`${path}.tmp`, text);
        renameSync(`${path}.tmp`, path);
      });
    }
    expect(changes).toEqual([path, path, path]);
  });

  it('reports simultaneous changes once', async () => {
    const other = join(folder, 'other.mjs');
    writeFileSync(other, 'first');
    add(path, other);
    await changeAfter(() => {
      for (let n = 0; n < 20; n += 1) writeFileSync(n % 2 === 0 ? path : other, `text ${n}`);
    });
    await changeAfter(() => writeFileSync(path, 'and on its own'));
    expect(changes).toHaveLength(2);
  });

  it('reports nothing about other files in the folder', async () => {
    add(path);
    await changeAfter(() => {
      writeFileSync(join(folder, 'unrelated.txt'), 'text');
      writeFileSync(path, 'second');
    });
    expect(changes).toEqual([path]);
  });

  it('notices a missing file, and one whose folder was missing', async () => {
    const missing = join(folder, 'gone.mjs');
    const deeper = join(folder, 'lib', 'gone.mjs');
    add(missing, deeper);
    await changeAfter(() => writeFileSync(missing, 'here'));
    await changeAfter(() => {
      mkdirSync(join(folder, 'lib'));
      writeFileSync(deeper, 'here');
    });
    expect(changes).toEqual([missing, deeper]);
  });

  it('notices a file that appears before anything in the background could read its state', async () => {
    const late = join(folder, 'lib', 'late.mjs');
    // These keep the threads busy that read files asynchronously.
    for (let thread = 0; thread < 16; thread += 1) pbkdf2('a', 'b', 200_000, 32, 'sha512', () => undefined);
    await changeAfter(() => {
      add(late);
      mkdirSync(join(folder, 'lib'));
      writeFileSync(late, 'here');
    });
    expect(changes).toEqual([late]);
  });

  it('notices a change between loading and watching', async () => {
    const state = fileState(path);
    writeFileSync(path, 'second, before anyone looked');
    await changeAfter(() => watch.add({ path, state }));
    expect(changes).toEqual([path]);
  });
});
