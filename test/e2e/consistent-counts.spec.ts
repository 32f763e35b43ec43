import type { Page } from '@playwright/test';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { chooseEndpoint, sendBatch } from '../kit/person.ts';
import { disagreements, framesRead, watchForDisagreements, watchPopover } from '../kit/window-watcher.ts';
import { connectTo, expect, test, type LaunchedApp } from './fixtures.ts';

const paced = openPacedEndpoint();
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());
const endpoints = [...BUILT_IN_ENDPOINTS, paced.endpoint];

/** Submits one job for each input, as a batch. */
async function submitMany(page: Page, endpoint: string, inputs: readonly unknown[]): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, endpoint);
  await sheet.getByRole('textbox', { name: 'Inputs' }).focus();
  await page.keyboard.insertText(inputs.map((input) => JSON.stringify(input)).join('\n'));
  await sheet.getByRole('button', { name: new RegExp(`^Submit ${inputs.length} jobs?`) }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole('button', { name: 'All jobs' }).first().click();
}

/** Opens the tray's popover, and has it watched until most of its jobs have ended. */
async function watchThePopover(app: LaunchedApp): Promise<void> {
  await app.clickTray();
  const tray = await app.waitForWindow('/tray');
  await watchPopover(tray);
  await expect(tray.getByRole('region', { name: 'Active' })).toBeVisible();
  await expect(tray.getByText(/^\d of (9|1\d) today$/)).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => framesRead(tray)).toBeGreaterThan(20);
  expect(await disagreements(tray)).toEqual([]);
}

test('on a bad day the list, its heads, sidebar, views, title bar, endpoints and popover agree in every frame', async ({
  launch,
  startService,
}) => {
  const service = await startService({ endpoints });
  const { app, page } = await launch();
  await connectTo(page, service);
  await watchForDisagreements(page);
  service.setFault([
    { kind: 'status', status: 500, operation: 'status', probability: 0.1 },
    { kind: 'html', operation: 'status', probability: 0.1 },
    { kind: 'delay', delayMs: 700, operation: 'status', probability: 0.2 },
    { kind: 'status', status: 429, retryAfterS: 1, operation: 'health', probability: 0.2 },
    { kind: 'status', status: 429, retryAfterS: 1, operation: 'status', probability: 0.05 },
  ]);
  await submitMany(page, 'mock', [
    ...Array.from({ length: 8 }, (_, row) => ({ title: `Row ${row}`, mock_delay: 1_500 + row * 300 })),
    { title: 'Fails', mock_delay: 900, mock_error: 'out of memory' },
  ]);
  // Still active when the popover opens, however slow the machine is.
  await sendBatch(page, 'Long', [{ title: 'Long' }], 'paced');
  await submitMany(
    page,
    'echo',
    Array.from({ length: 4 }, (_, row) => ({ prompt: `Echo ${row}` })),
  );
  // The tray, which is drawn by main, says what the sidebar says.
  await expect.poll(async () => (await app.tray())?.tooltip ?? '').toMatch(/\d+ (running|queued|to send)/);
  // The popover beside the window says what it counts and what it shows in one voice.
  if (app.kind === 'stand-in') await watchThePopover(app);
  paced.end();
  // A pointer that moves over the list holds its rows; their texts stay correct.
  const row = page.getByRole('option').first();
  await row.hover();
  // Views of what ended grow with what their names count.
  const views = page.getByRole('navigation', { name: 'Views and endpoints' });
  await views.getByRole('button', { name: /^Finished today/ }).click();
  await expect(page.getByRole('option', { name: /Completed/ }).first()).toBeVisible({ timeout: 20_000 });
  await views.getByRole('button', { name: /^Failed/ }).click();
  await expect(page.getByRole('option', { name: /Fails, Failed/ })).toBeVisible({ timeout: 20_000 });
  await views.getByRole('button', { name: /^All jobs/ }).click();
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(13, { timeout: 60_000 });
  await expect(page.getByRole('group', { name: 'Active' })).toHaveCount(0);
  await expect.poll(async () => (await app.tray())?.tooltip).toMatch(/^Jobdeck: (nothing active|1 unseen failure)$/);
  await expect.poll(() => framesRead(page)).toBeGreaterThan(50);
  expect(await disagreements(page)).toEqual([]);
});

test('a batch’s strip, its row in the sidebar, the heads and the rows of its list agree in every frame', async ({
  launch,
  startService,
}) => {
  const service = await startService({ endpoints });
  const { page } = await launch();
  await connectTo(page, service);
  await watchForDisagreements(page);
  await submitMany(
    page,
    'paced',
    Array.from({ length: 13 }, (_, row) => ({ title: `Row ${row}`, paced_in_turn: true })),
  );
  const views = page.getByRole('navigation', { name: 'Views and endpoints' });
  await views.getByRole('button', { name: /^Batch of/ }).click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await expect(strip).toBeVisible();
  // Three workers run three of the jobs, and the list says so of each while no job is open.
  await expect(page.getByRole('option', { name: /In progress/ })).toHaveCount(3);
  await expect(page.getByRole('option', { name: /In queue/ })).toHaveCount(10);
  // A pointer that moves over the list holds its rows; what ended is then counted beside the head.
  await page.getByRole('option').nth(2).hover();
  for (let completed = 1; completed <= 6; completed += 1) {
    paced.pass(1);
    await expect(strip.getByRole('button', { name: `${completed} completed` })).toBeVisible({ timeout: 30_000 });
  }
  await strip.hover();
  paced.end();
  await expect(strip.getByText('13 rows, finished')).toBeVisible({ timeout: 60_000 });
  // Until a deletion can no longer be undone, its row is counted nowhere.
  await holdToasts(page);
  await page.getByRole('option', { name: /Row 3, Completed/ }).click();
  await page.keyboard.press('Delete');
  await expect(strip.getByText('12 rows, finished')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(strip.getByText('13 rows, finished')).toBeVisible();
  await expect.poll(() => framesRead(page)).toBeGreaterThan(50);
  expect(await disagreements(page)).toEqual([]);
});
