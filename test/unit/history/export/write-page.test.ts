import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeExportPage } from '../../../../src-main/history/export/write-page.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import { aDatabase, aFolder, aNewJob } from '../a-database.ts';

test('a character that was streamed in two halves is whole in the file, even where the file is written in pieces', () => {
  const db = aDatabase();
  commit(db, [aNewJob({ key: 'k1', phase: 'finished', status: 'COMPLETED' })]);
  // The first one is as long as a piece of the file.
  const halves = [`"${'x'.repeat(600_000)}\\ud83d"`, '"\\ude00 is whole"'];
  for (const [atMs, outputJson] of halves.entries())
    commitChunks(db, { key: 'k1', attempt: 1 }, [{ outputJson, metricsJson: null }], atMs);
  const path = join(aFolder(), 'jobs.csv');
  const source = { kind: 'jobs' as const, keys: ['k1'] };
  const page = { path, format: 'csv' as const, source, before: 0, connectionNames: {}, costs: [] };
  expect(writeExportPage(db, page, { nowMs: 0, startOfTodayMs: 0 }).jobs).toBe(1);
  expect(/x[^x"]*is whole/u.exec(readFileSync(path, 'utf8'))?.[0]).toBe('x😀 is whole');
});
