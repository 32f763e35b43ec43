import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../src-main/history/migrations.ts';
import { openSandbox } from '../kit/person.ts';
import { expect, test } from './fixtures.ts';

/** Puts a file of the first version in the place of the history: its documents, and one job. Answers it open. */
function putBack(path: string): DatabaseSync {
  const newest = new DatabaseSync(path);
  const documents = newest.prepare('SELECT kind, id, json FROM documents').all();
  newest.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const old = new DatabaseSync(path);
  old.exec('PRAGMA journal_mode = WAL');
  migrate(old, 1);
  for (const { kind, id, json } of documents) old.prepare('INSERT INTO documents (kind, id, json) VALUES (?, ?, ?)').run(String(kind), String(id), String(json));
  const connection = documents.find(({ kind }) => kind === 'connection')?.['id'];
  old.prepare("INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (1, ?, 'echo', 'finished', 'completed', 0, 1)").run(String(connection));
  old.prepare(`INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json, phase, status, attempt, created_at_ms, finished_seen_at_ms, policy_json, input_bytes, output_bytes,
      is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
    VALUES (65536, 'k1', 1, 'job-1', ?, 'http://127.0.0.1', 'echo', 'run', 'Old harbour', '[]', 'finished', 'COMPLETED', 1, 5, 6, '{}', 2, 2, 1, 0, 0, 0, 0, 1, 0)`).run(String(connection));
  old.exec("INSERT INTO submissions (job, policy_json) VALUES (65536, '{}')");
  return old;
}

for (const theme of ['Light', 'Dark']) {
  test(`a history of a former version is brought up to date before the eyes of the user, in ${theme.toLowerCase()}, and then is the list`, async ({ launch, dataDir }) => {
    const first = await launch();
    await openSandbox(first.page);
    await first.page.keyboard.press('ControlOrMeta+,');
    await first.page.getByRole('radio', { name: theme }).click();
    await expect.poll(() => first.page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme.toLowerCase());
    await first.app.close();

    const old = putBack(join(dataDir, 'history.db'));
    // As long as another program writes in it, nothing can be brought up to date.
    old.exec('BEGIN IMMEDIATE');
    const { app, page } = await launch();
    const status = page.getByRole('status');
    await expect(status).toContainText('Bringing your history up to date');
    await expect(status).toContainText('1 saved job is fitted to this version of Jobdeck');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme.toLowerCase());
    await expect(page.getByRole('button', { name: 'New job' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Maximise' }).click();
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();

    old.exec('COMMIT');
    old.close();
    await expect(page.getByRole('option', { name: /Old harbour/ })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('Bringing your history up to date')).toHaveCount(0);
    expect(app.windows()).toHaveLength(1);
  });
}

test('closing the window meanwhile ends the app, and the next start goes on', async ({ launch, dataDir }) => {
  const first = await launch();
  await openSandbox(first.page);
  await first.app.close();
  const old = putBack(join(dataDir, 'history.db'));
  old.exec('BEGIN IMMEDIATE');
  const { app, page } = await launch();
  await expect(page.getByRole('status')).toContainText('Bringing your history up to date');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => app.windows().length).toBe(0);
  old.exec('COMMIT');
  old.close();
  expect(await app.exited).toBe(0);
  expect(app.logs()).not.toContain('could not start');
  const again = await launch();
  await expect(again.page.getByRole('option', { name: /Old harbour/ })).toBeVisible({ timeout: 20_000 });
});
