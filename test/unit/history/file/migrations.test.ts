import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrate, readVersion, schemaVersion } from '../../../../src-main/history/file/migrations.ts';

/** An open database that takes the steps up to a version, and fails with the one after it. */
function failingAfter(version: number): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  const { exec } = db;
  vi.spyOn(db, 'exec').mockImplementation((sql) => {
    if (sql.includes(`user_version = ${version + 1}`)) throw new Error('The disk is full.');
    exec.call(db, sql);
  });
  return db;
}

function begun(db: DatabaseSync): number {
  return vi.mocked(db.exec).mock.calls.filter(([sql]) => sql.startsWith('BEGIN')).length;
}

test('a new history file is one transaction: one write to the disk, and nothing of it if that fails', () => {
  const whole = failingAfter(schemaVersion);
  migrate(whole);
  expect(readVersion(whole)).toBe(schemaVersion);
  expect(begun(whole)).toBe(1);

  const cut = failingAfter(schemaVersion - 1);
  expect(() => migrate(cut)).toThrow('The disk is full.');
  expect(readVersion(cut)).toBe(0);
  expect(cut.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).toEqual({ n: 0 });
});

test('a file of an older version keeps the steps that it took before one fails', () => {
  const db = failingAfter(schemaVersion - 1);
  migrate(db, schemaVersion - 3);
  expect(() => migrate(db)).toThrow('The disk is full.');
  expect(readVersion(db)).toBe(schemaVersion - 1);
  // One for the new file, and one for each later step.
  expect(begun(db)).toBe(4);
});
