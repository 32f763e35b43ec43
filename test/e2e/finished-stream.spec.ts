import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openHistory } from '../../src-main/history/store.ts';
import { aSavedJob } from '../kit/saved-job.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const lineCount = 160_000;
const lines = Array.from({ length: lineCount }, (_, at) => `line ${at}: the queue held every worker until the lock was released`);
lines[lineCount - 20] = 'here the Heliograph stops';
const whole = lines.join('\n');
const chunkChars = 4_096;

/** A finished job with ten megabytes of stream, saved as if it had run here, under the connection that the page shows. */
async function saveStream(page: Page, dataDir: string, closeApp: () => Promise<void>): Promise<void> {
  const { id: connectionId, baseUrl } = await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connection = listed?.ok === true ? listed.value[0] : undefined;
    if (connection === undefined) throw new Error('There is no connection.');
    return { id: connection.id, baseUrl: connection.baseUrl };
  });
  await closeApp();
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const saved = aSavedJob({ number: 1, connectionId, baseUrl, endpointId: 'text', title: 'A long stream', ageMs: 60_000 });
  await history.commit([{ ...saved, bodies: [], job: { ...saved.job, outputBytes: 0 } }]);
  const chunks = Array.from({ length: Math.ceil(whole.length / chunkChars) }, (_, at) => ({ outputJson: JSON.stringify({ text: whole.slice(at * chunkChars, (at + 1) * chunkChars) }), metricsJson: null }));
  for (let at = 0; at < chunks.length; at += 500) await history.appendChunks(saved.job.key, 1, chunks.slice(at, at + 500), Date.now());
  await history.close();
}

test('a long finished stream is read, gone through, searched and copied whole, with the service gone', async ({ launch, startService, dataDir }) => {
  const service = await startService();
  const first = await launch();
  await connectTo(first.page, service);
  await saveStream(first.page, dataDir, first.app.close);
  await service.close();

  const { app, page } = await launch();
  await page.getByRole('option', { name: /A long stream/ }).click();
  const text = jobPane(page).getByRole('document', { name: 'Output text' });
  await expect(text.getByText('line 0:')).toBeVisible();

  await text.click();
  await page.keyboard.press('End');
  await expect(text.getByText(`line ${lineCount - 1}:`)).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(text.getByText('line 0:')).toBeInViewport();

  await page.keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: 'Search in the output' });
  await field.fill('the heliograph');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect(text.getByText('the Heliograph', { exact: true })).toBeInViewport();
  await field.fill('line 99');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^\d+ of [\d,]+$/);
  await page.keyboard.press('Enter');
  await expect(text.locator('mark[aria-current]')).toHaveText('line 99');
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(text).toBeFocused();

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(page.getByText('Output copied')).toBeVisible();
  expect(await app.clipboard()).toBe(whole);

  await jobPane(page).getByRole('radio', { name: 'Chunks' }).click();
  const chunks = jobPane(page).getByRole('list', { name: 'Chunks' });
  await chunks.focus();
  await page.keyboard.press('End');
  await expect(chunks.getByRole('button').filter({ hasText: `line ${lineCount - 1}` }).or(chunks.getByText(String(Math.ceil(whole.length / chunkChars) - 1), { exact: true })).first()).toBeInViewport();
});
