import type { Page } from '@playwright/test';
import { chooseEndpoint } from '../kit/person.ts';
import { disagreements, framesRead, watchForDisagreements } from '../kit/window-watcher.ts';
import { connectTo, expect, test } from './fixtures.ts';

/** Submits one job for each input, as a batch. */
async function submitMany(page: Page, endpoint: string, inputs: readonly unknown[]): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, endpoint);
  await sheet.getByRole('textbox', { name: 'Inputs' }).focus();
  await page.keyboard.insertText(inputs.map((input) => JSON.stringify(input)).join('\n'));
  await sheet.getByRole('button', { name: `Submit ${inputs.length} jobs` }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole('button', { name: 'All jobs' }).first().click();
}

test('on a bad day the list, its heads, the sidebar, the title bar and the endpoints say the same in every frame', async ({
  launch,
  startService,
}) => {
  const service = await startService();
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
  await submitMany(
    page,
    'mock',
    Array.from({ length: 8 }, (_, row) => ({ title: `Row ${row}`, mock_delay: 500 + row * 300 })),
  );
  await submitMany(
    page,
    'echo',
    Array.from({ length: 4 }, (_, row) => ({ prompt: `Echo ${row}` })),
  );
  // The tray, which is drawn by main, says what the sidebar says.
  await expect.poll(async () => (await app.tray())?.tooltip ?? '').toMatch(/\d+ (running|queued|to send)/);
  // A pointer that moves over the list holds its rows; what is said of them stays true.
  const row = page.getByRole('option').first();
  await row.hover();
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(12, { timeout: 60_000 });
  await expect(page.getByRole('group', { name: 'Active' })).toHaveCount(0, { timeout: 10_000 });
  await expect.poll(async () => (await app.tray())?.tooltip).toBe('Jobdeck: nothing active');
  expect(await disagreements(page)).toEqual([]);
  expect(await framesRead(page)).toBeGreaterThan(50);
});

test('six jobs on three workers are shown running and waiting as they do, also behind a closed detail', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await connectTo(page, service);
  await submitMany(
    page,
    'mock',
    Array.from({ length: 6 }, (_, at) => ({ title: `Long ${at}`, mock_delay: 60_000 })),
  );
  await page.keyboard.press('Escape');
  await expect.poll(() => service.health('mock')?.jobs.inProgress, { timeout: 20_000 }).toBe(3);
  await expect(page.getByRole('option', { name: /In progress/ })).toHaveCount(3, { timeout: 2_500 });
  await expect(page.getByRole('option', { name: /In queue/ })).toHaveCount(3);
});
