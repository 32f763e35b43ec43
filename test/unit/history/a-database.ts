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

/** The first commit of a job, with an input. */
export function aBirth(job: Partial<Job>, inputText = '{}'): JobCommit {
  return { job: aJob(job), submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null } };
}
