import type { Page } from '@playwright/test';
import { closeWindow, openPodOfSandbox, openSandbox, openTemplateOfSandbox, sendAndOpen } from '../../kit/person.ts';
import { shootThemes } from './stage.ts';
import type { Stage } from './stage.ts';

/** The palette and the sheet of shortcuts in the windows beside the main one. */
export async function ownPalettes({ launch }: Stage): Promise<void> {
  const { app, page } = await launch();
  await openSandbox(page);
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'In a window' } });
  await page.keyboard.press('Shift+Enter');
  const job = await app.waitForWindow(/\/job\//);
  await job.getByRole('heading', { level: 1 }).waitFor();
  await shootOwn(job, 'job');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const health = await app.waitForWindow(/\/health/);
  await shootOwn(health, 'health');
  await closeWindow(app, health);
  const pod = await openPodOfSandbox(app, page);
  await shootOwn(pod, 'pod');
  await closeWindow(app, pod);
  const template = await openTemplateOfSandbox(app, page);
  await shootOwn(template, 'template');
  await closeWindow(app, template);
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page
    .getByRole('region', { name: 'Sandbox', exact: true })
    .getByRole('button', { name: 'Open in its own window' })
    .click();
  await shootOwn(await app.waitForWindow('/sandbox'), 'sandbox');
}

async function shootOwn(own: Page, name: string): Promise<void> {
  for (const size of [
    { width: 1180, height: 820 },
    { width: 800, height: 600 },
  ]) {
    await own.setViewportSize(size);
    await own.getByRole('button', { name: 'commands' }).click();
    await own.getByRole('combobox', { name: 'Search or run' }).waitFor();
    await shootThemes(own, `${name}-palette-${size.width}`);
    await own.keyboard.press('Escape');
    await own.getByRole('dialog').waitFor({ state: 'hidden' });
    await own.keyboard.press('?');
    await own.getByRole('dialog').waitFor();
    await shootThemes(own, `${name}-shortcuts-${size.width}`);
    await own.keyboard.press('Escape');
    await own.getByRole('dialog').waitFor({ state: 'hidden' });
  }
}
