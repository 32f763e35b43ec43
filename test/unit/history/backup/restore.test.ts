import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  armRestore,
  armUndo,
  finishRestore,
  readRestored,
  RestoreDelayed,
} from '../../../../src-main/history/backup/restore.ts';
import { aFolder } from '../a-database.ts';

/** A history and a backup that was checked, as files whose names alone matter here. */
function histories(): { path: string; incoming: string } {
  const path = join(aFolder(), 'history.db');
  writeFileSync(path, 'present');
  writeFileSync(`${path}-wal`, 'last changes of present');
  writeFileSync(`${path}-incoming`, 'backup');
  return { path, incoming: `${path}-incoming` };
}

const textAt = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);

describe('a restore', () => {
  it('sets the history aside with its last changes, and an undo brings both back', () => {
    const { path, incoming } = histories();
    armRestore(path, incoming);
    const restored = finishRestore(path, 1_000);
    expect([textAt(path), textAt(`${path}-wal`)]).toEqual(['backup', null]);
    expect(readRestored(path)).toEqual(restored);
    expect(textAt(`${restored?.asidePath}-wal`)).toBe('last changes of present');
    armUndo(path);
    finishRestore(path, 2_000);
    expect([textAt(path), textAt(`${path}-wal`)]).toEqual(['present', 'last changes of present']);
    // What the undo set aside can be had back as well.
    expect(textAt(readRestored(path)?.asidePath ?? '')).toBe('backup');
  });

  it.each([1, 2])('continues if it was interrupted %i steps before its end, and can still be undone', (steps) => {
    const { path, incoming } = histories();
    const interrupt = (): void => {
      renameSync(path, `${path}-restore`);
      if (steps === 2 && existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${path}-restore-wal`);
    };
    armRestore(path, incoming);
    const restored = finishRestore(path, 1_000);
    interrupt();
    expect(finishRestore(path, 2_000)).toEqual(restored);
    expect([textAt(path), textAt(`${path}-wal`)]).toEqual(['backup', null]);
    expect(readRestored(path)).toEqual(restored);
    armUndo(path);
    const undone = finishRestore(path, 3_000);
    interrupt();
    expect(finishRestore(path, 4_000)).toEqual(undone);
    expect([textAt(path), textAt(`${path}-wal`)]).toEqual(['present', 'last changes of present']);
    expect(textAt(readRestored(path)?.asidePath ?? '')).toBe('backup');
  });

  it('waits if its first step cannot be written, and leaves the history unchanged', () => {
    const { path, incoming } = histories();
    armRestore(path, incoming);
    // Stands in the way of the note, as a full disk would.
    mkdirSync(`${path}-restored.json.part`);
    expect(() => finishRestore(path, 1_000)).toThrow(RestoreDelayed);
    expect([textAt(path), textAt(`${path}-wal`), textAt(`${path}-restore`)]).toEqual([
      'present',
      'last changes of present',
      'backup',
    ]);
  });

  it('never includes the last changes of another history, left behind by an interrupted undo', () => {
    const { path, incoming } = histories();
    armRestore(path, incoming);
    const restored = finishRestore(path, 1_000);
    const aside = restored?.asidePath ?? '';
    // An undo that ended behind its first step.
    renameSync(`${aside}-wal`, `${path}-restore-wal`);
    writeFileSync(incoming, 'another backup');
    armRestore(path, incoming);
    finishRestore(path, 2_000);
    expect([textAt(path), textAt(`${path}-wal`)]).toEqual(['another backup', null]);
    expect([textAt(aside), textAt(`${aside}-wal`)]).toEqual(['present', 'last changes of present']);
  });
});
