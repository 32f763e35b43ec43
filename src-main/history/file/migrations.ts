import type { DatabaseSync } from 'node:sqlite';
import { atomically, number, statement } from './row.ts';
import { laterSteps } from './later-steps.ts';
import { schemaSteps } from './schema-steps.ts';

const steps = [...schemaSteps, ...laterSteps];

/** Written into the file's header, so that another program's database is never taken for ours. */
export const applicationId = 0x4a6f6264;

/** The version this build reads and writes. */
export const schemaVersion = steps.length;

/** How many steps the open file has taken. */
export function readVersion(db: DatabaseSync): number {
  const row = statement(db, 'PRAGMA user_version').get();
  return row === undefined ? 0 : number(row, 'user_version');
}

/**
 * Takes the steps that are missing up to `target`, each in its own transaction: a crash between two leaves a whole
 * older version.
 */
export function migrate(db: DatabaseSync, target: number = schemaVersion): void {
  for (let version = readVersion(db); version < target; version += 1) {
    const step = steps[version];
    if (step === undefined) throw new Error(`There is no migration to version ${version + 1}.`);
    atomically(db, () => {
      db.exec(step);
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}`);
    });
  }
}
