import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { submitJob } from '../../kit/person.ts';
import { shoot, shootThemes, sizes } from './stage.ts';
import type { Stage } from './stage.ts';

/** The sandbox's pane: its requests as they arrive, speed and faults, and the pane without any requests. */
export async function sandboxPane({ launch }: Stage): Promise<void> {
  const { app, page } = await launch();
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page.getByText('No jobs yet').waitFor();
  await submitJob(page, {
    endpoint: 'text',
    input: { prompt: 'Post-incident review of 4182 from 61 pages of logs', max_tokens: 260 },
  });
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  const pane = page.getByRole('region', { name: 'Sandbox', exact: true });
  await pane
    .getByRole('row', { name: /POST run/ })
    .first()
    .waitFor();
  await submitJob(page, {
    endpoint: 'image',
    input: { prompt: 'Layered mountain ridges in morning fog', width: 640, height: 640, count: 2 },
  });
  for (const title of ['Label 400 support tickets', 'town-hall-2025-11-19.m4a'])
    await submitJob(page, { endpoint: 'mock', input: { title, mock_delay: 600_000 } });
  await untilRequests(pane, 30);
  await shoot(page, 'sandbox');
  await pane.getByRole('button', { name: 'Presets' }).click();
  await shoot(page, 'sandbox-presets');
  await page.getByRole('menuitem', { name: 'Overloaded' }).click();
  await pane.getByRole('radio', { name: '10x' }).click();
  await pane
    .getByRole('row', { name: /Status code/ })
    .last()
    .waitFor({ timeout: 60_000 });
  await pane.getByRole('row', { name: /Delay/ }).last().waitFor({ timeout: 60_000 });
  await shoot(page, 'sandbox-distorted');
  await pane.getByRole('button', { name: 'Add fault' }).click();
  await pane.getByLabel('How often').fill('1000');
  await pane.getByRole('button', { name: 'Add', exact: true }).click();
  await shoot(page, 'sandbox-fault-form');
  await pane.getByRole('button', { name: 'Cancel' }).click();
  await pane.getByLabel('Filter requests').fill('health');
  await pane.getByRole('grid', { name: 'Requests' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await pane.getByRole('button', { name: 'Pause', exact: true }).click();
  await pane.getByRole('button', { name: /^Resume, / }).waitFor({ timeout: 30_000 });
  await shoot(page, 'sandbox-paused');
  await pane.getByLabel('Filter requests').fill('heliotrope');
  await shoot(page, 'sandbox-no-match');
  await pane.getByLabel('Filter requests').fill('');
  await pane.getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow('/sandbox');
  await own.getByRole('grid', { name: 'Requests' }).waitFor();
  for (const size of [
    { width: 1180, height: 820 },
    { width: 760, height: 600 },
  ]) {
    await own.setViewportSize(size);
    await shootThemes(own, `sandbox-window-${size.width}`);
  }
  await page.setViewportSize({ width: 760, height: 600 });
  await shootThemes(page, 'sandbox-760');
  await page.setViewportSize(sizes[0]);
  await pane.getByRole('button', { name: 'Clear all' }).click();
  await pane.getByRole('button', { name: 'Stop the sandbox' }).click();
  await pane.getByText('Stopped').waitFor();
  await pane.getByRole('button', { name: 'Clear the list' }).click();
  await shoot(page, 'sandbox-stopped');
  await page.keyboard.press('Escape');
  await page.getByText('The sandbox is not running').first().waitFor();
  await shoot(page, 'sandbox-stopped-jobs');
}

/** Resolves as soon as the list has this number of requests, as its first option shows. */
async function untilRequests(pane: Locator, count: number): Promise<void> {
  const all = pane.locator('label', { has: pane.page().getByRole('radio', { name: /^All/ }) });
  await expect
    .poll(async () => Number((await all.textContent())?.replace(/\D/g, '')), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count);
}
