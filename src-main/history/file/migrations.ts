import type { DatabaseSync } from 'node:sqlite';
import { atomically, number, statement } from './row.ts';
import { stepsTo22 } from './schema-steps-1-to-22.ts';
import { stepsFrom23 } from './schema-steps-from-23.ts';

const steps = [...stepsTo22, ...stepsFrom23];

/** Written into the file's header, so that another program's database is never used. */
export const applicationId = 0x4a6f6264;

/** The version this build reads and writes. */
export const schemaVersion = steps.length;

/** How many steps the open file has taken. */
export function readVersion(db: DatabaseSync): number {
  const row = statement(db, 'PRAGMA user_version').get();
  return row === undefined ? 0 : number(row, 'user_version');
}

/**
 * Takes the missing steps up to `target`, each in its own transaction: a crash between two leaves a complete older
 * version. Those of a new file are one transaction, and so one write to the disk.
 */
export function migrate(db: DatabaseSync, target: number = schemaVersion): void {
  const present = readVersion(db);
  const missing = Array.from({ length: Math.max(0, target - present) }, (_, index) => present + index);
  if (present === 0) atomically(db, () => missing.forEach((version) => takeStep(db, version)));
  else for (const version of missing) atomically(db, () => takeStep(db, version));
}

/** Takes the step from `version` to the next. */
function takeStep(db: DatabaseSync, version: number): void {
  const step = steps[version];
  if (step === undefined) throw new Error(`There is no migration to version ${version + 1}.`);
  db.exec(step);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}`);
}
