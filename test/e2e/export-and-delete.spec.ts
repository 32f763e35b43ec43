import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { holdToasts } from '../kit/held-timers.ts';
import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('selected and listed jobs are exported; a deleted job disappears, comes back with undo, and is gone after the offer ends', async ({
  launch,
  startService,
  dataDir,
}) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await holdToasts(page);
  await sendJobs(
    page,
    ['=1+1, the first', 'the second', 'the third'].map((prompt) => ({ endpoint: 'echo', input: { prompt } })),
  );
  const rows = page.getByRole('option');
  const row = (name: string) => page.getByRole('option', { name: new RegExp(`the ${name}`) });
  for (const name of ['first', 'second', 'third'])
    await expect(row(name)).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
  await test.step('selected jobs, and listed jobs, are exported to a file of the user’s choice', async () => {
    await row('third').click({ modifiers: ['ControlOrMeta'] });
    await app.answerDialog({ canceled: false, filePath: join(dataDir, 'picked.ndjson') });
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click();
    await expect(page.getByText('1 job written to')).toBeVisible();
    expect(JSON.parse(await readFile(join(dataDir, 'picked.ndjson'), 'utf8'))).toMatchObject({
      status: 'COMPLETED',
      input: { prompt: 'the third' },
    });

    await page.keyboard.press('Escape');
    await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeHidden();
    await app.answerDialog({ canceled: false, filePath: join(dataDir, 'list.csv') });
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    await expect(page.getByText('3 jobs written to')).toBeVisible();
    const records = (await readFile(join(dataDir, 'list.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(records).toHaveLength(4);
    expect(records[3]).toContain(`"'=1+1, the first"`);
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  const allJobs = page.getByRole('button', { name: /^All jobs/ }).first();
  await expect(allJobs).toHaveAccessibleDescription('3');

  // From the "…" menu of the open job: the next one is shown, the list and the count beside it lose it in one go.
  await row('second').click();
  await expect(jobPane(page).getByRole('heading', { name: 'the second' })).toBeVisible();
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete job' }).click();
  await expect(rows).toHaveCount(2);
  await expect(allJobs).toHaveAccessibleDescription('2');
  await expect(jobPane(page).getByRole('heading', { name: '=1+1, the first' })).toBeVisible();
  const said = page.getByRole('status').filter({ hasText: 'Deleted 1 job' });
  // The offer comes when the job is in the bin. By keys too, and back where they were.
  await expect(said).toBeVisible();
  await page.getByRole('listbox', { name: 'Jobs' }).focus();
  await page.keyboard.press('F6');
  await expect(said.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByRole('listbox', { name: 'Jobs' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(said.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(said).toHaveCount(0);
  await expect(rows).toHaveCount(3);
  await expect(allJobs).toHaveAccessibleDescription('3');

  // Deleted a moment before Jobdeck ends, it is in the bin.
  await row('third').click();
  await page.getByRole('listbox', { name: 'Jobs' }).press('Delete');
  await expect(said).toBeVisible();
  await app.kill();
  const { page: again } = await launch();
  await expect(again.getByRole('option')).toHaveCount(2, { timeout: 20_000 });
  await holdToasts(again);

  // Two by the bulk bar, and the offer to undo is dismissed: they are gone, over a restart too.
  for (const name of ['first', 'second'])
    await again.getByRole('option', { name: new RegExp(`the ${name}`) }).click({ modifiers: ['ControlOrMeta'] });
  await again.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Delete' }).click();
  const offer = again.getByRole('status').filter({ hasText: 'Deleted 2 jobs' });
  await offer.getByRole('button', { name: 'Dismiss' }).click();
  await expect(again.getByRole('option')).toHaveCount(0);
  await expect
    .poll(() => again.evaluate(async () => await window.bridge?.call('job:counts', undefined)))
    .toMatchObject({ value: { all: { all: 0 } } });
});
