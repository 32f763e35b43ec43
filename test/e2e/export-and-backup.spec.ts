import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { findChromium } from '../kit/chromium.ts';
import { clickToEnd, sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A report is one page that is read offline, with its image, in both themes. */
async function expectReadableOffline(path: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '' });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ offline: true, colorScheme });
      const report = await context.newPage();
      const asked: string[] = [];
      const said: string[] = [];
      report.on('request', (request) => asked.push(request.url().slice(0, 16)));
      report.on('console', (message) => said.push(message.text()));
      await report.goto(`file://${path}`);
      await expect(report.getByRole('heading', { level: 2 })).toHaveText('Completed a <b>lighthouse</b>');
      const image = report.getByRole('img', { name: 'Output, image 1' });
      await expect.poll(() => image.evaluate((element) => 'naturalWidth' in element && element.naturalWidth)).toBe(1);
      // Its own style is applied under its policy.
      await expect(report.getByRole('article')).toHaveCSS('border-radius', '10px');
      expect(asked.every((url) => url.startsWith('file:') || url.startsWith('data:image'))).toBe(true);
      expect(said).toEqual([]);
      await report.evaluate(`${axe}; undefined`);
      const { violations } = await report.evaluate<{ violations: { id: string }[] }>('axe.run(document)');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

test('a job is exported as a report; the history is backed up, merged and restored from Settings, and a restore is undone', async ({
  launch,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'a <b>lighthouse</b>', images: [png] } }]);
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(1, { timeout: 20_000 });
  await page.getByRole('option').click();
  const reportPath = join(dataDir, 'report.html');
  await app.answerDialog({ canceled: false, filePath: reportPath });
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export as HTML report' }).click();
  await expect(page.getByText('1 job written to')).toBeVisible();
  await expectReadableOffline(reportPath);

  const path = join(dataDir, 'copy of it.db');
  await app.answerDialog({ canceled: false, filePath: path });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('back up');
  await page.getByRole('option', { name: /Back up the history/ }).click();
  await expect(page.getByText('Backed up 1 job')).toBeVisible();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const section = settings.getByRole('region', { name: 'Backup' });

  // What is no history is refused in words.
  await writeFile(join(dataDir, 'text.db'), 'only a text');
  await app.answerDialog({ canceled: false, filePaths: [join(dataDir, 'text.db')] });
  await section.getByRole('button', { name: 'Restore or merge…' }).click();
  await expect(section.getByText('This file is not a Jobdeck backup')).toBeVisible();

  await app.answerDialog({ canceled: false, filePaths: [path] });
  await section.getByRole('button', { name: 'Restore or merge…' }).click();
  await expect(section.getByText('The backup is intact. It contains 1 job')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
  await section.getByRole('button', { name: 'Merge 1 job' }).click();
  // Said over the dialog, which a press on the message does not close.
  const merged = page.getByRole('status').filter({ hasText: 'Nothing new: your history has all of its jobs' });
  await merged.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(merged).toHaveCount(0);
  await expect(settings).toBeVisible();
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(settings).toBeHidden();

  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'after the backup' } }]);
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(2, { timeout: 20_000 });
  await app.answerDialog({ canceled: false, filePaths: [path] });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('restore or merge');
  await page.getByRole('option', { name: /Restore or merge a backup/ }).click();
  await clickToEnd(section.getByRole('button', { name: 'Restore and restart' }));
  await app.exited;

  const { app: restored, page: after } = await launch();
  await expect(after.getByRole('option')).toHaveCount(1, { timeout: 20_000 });
  await expect(after.getByText('Your history was restored')).toBeVisible();
  await after.keyboard.press('ControlOrMeta+,');
  await after.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Storage' }).click();
  await clickToEnd(after.getByRole('button', { name: 'Undo the restore and restart' }));
  await restored.exited;

  const { page: undone } = await launch();
  await expect(undone.getByRole('option')).toHaveCount(2, { timeout: 20_000 });
});

test('the first connection names every missing field, checks only filled ones, ticks them, and leads to a backup and the keys', async ({
  launch,
  dataDir,
}) => {
  const { app, page } = await launch();
  await page.setViewportSize({ width: 900, height: 600 });
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const [name, url] = [page.getByText('A connection needs a name'), page.getByText('A connection needs a base URL')];
  await expect(name).toBeVisible();
  await expect(url).toBeVisible();
  await page.getByLabel('Connection name').fill('Production');
  await expect(name).toBeHidden();
  await expect(url).toBeVisible();
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v2');
  await expect(url).toBeHidden();
  const ticks = page.getByRole('img', { name: 'Filled in' });
  await expect(ticks).toHaveCount(2);

  await page.getByLabel('API key').fill('a-key-for-nobody');
  await expect(ticks).toHaveCount(3);
  await page.getByLabel('Endpoint ids').fill('one two three ');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const found = page.getByRole('region', { name: 'The check found a problem' });
  await expect(found).toBeVisible();
  // The last line of it is above the bar with the way on.
  const bar = page.getByRole('button', { name: 'Connect', exact: true });
  await expect
    .poll(async () => {
      const [section, button] = await Promise.all([found.boundingBox(), bar.boundingBox()]);
      return section !== null && button !== null && section.y + section.height <= button.y;
    })
    .toBe(true);
  await expect(page.getByRole('img', { name: 'Did not answer as expected' })).toHaveCount(3);

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
  await writeFile(join(dataDir, 'text.db'), 'only a text');
  await app.answerDialog({ canceled: false, filePaths: [join(dataDir, 'text.db')] });
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  await expect(
    page.getByRole('region', { name: 'Backup' }).getByText('This file is not a Jobdeck backup'),
  ).toBeVisible();
});
