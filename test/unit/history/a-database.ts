import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';

/** A separate folder, removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty history, open at the newest schema. */
export function aDatabase(): DatabaseSync {
  const { db } = openDatabase(join(aFolder(), 'history.db'), 0);
  onTestFinished(() => db.close());
  return db;
}

/** Sets the ids of all jobs so far apart that few are in one block (jobs/id-blocks.ts). */
export function spreadIds(db: DatabaseSync): void {
  const far = 12_000;
  // Away from all others in between, so that none is in the way of another.
  const away = 1e15;
  const columns = [
    ['jobs', 'id'],
    ['job_hours', 'first_id'],
    ['job_hours', 'last_id'],
    ...['attempts', 'bodies', 'chunk_batches', 'failures_unsorted', 'job_images', 'job_notes', 'job_tags'].map(
      (table) => [table, 'job'],
    ),
    ...['search_dirty', 'submissions'].map((table) => [table, 'job']),
  ];
  db.exec('PRAGMA foreign_keys = OFF');
  for (const moved of [(id: string) => `${id} * ${far} + ${away}`, (id: string) => `${id} - ${away}`])
    for (const [table = '', column = ''] of columns) db.exec(`UPDATE ${table} SET ${column} = ${moved(column)}`);
  db.exec('PRAGMA foreign_keys = ON');
}

/** Moves all bodies out of their rows, as former versions saved them. */
export function bodiesBesideTheirRows(db: DatabaseSync): void {
  db.exec(`
    INSERT INTO body_pieces (body, number, encoding, data)
      SELECT id, 0, encoding, data FROM bodies WHERE data IS NOT NULL;
    UPDATE bodies SET encoding = NULL, data = NULL`);
}

/** The first commit of a job, with an input. */
export function aNewJob(job: Partial<Job>, inputText = '{}'): JobCommit {
  return { job: aJob(job), submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null } };
}
