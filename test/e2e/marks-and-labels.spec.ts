import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from '../kit/axe.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { searchJobs, sendJobs, untilIdle } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('jobs are marked and labelled by key, filtered by mark, undone, and exported as a dataset', async ({
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
    ['the kettle', 'the harbour', 'the portrait'].map((prompt) => ({ endpoint: 'echo', input: { prompt } })),
  );
  const row = (name: string) => page.getByRole('option', { name: new RegExp(`the ${name}`) });
  for (const name of ['kettle', 'harbour', 'portrait'])
    await expect(row(name)).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
  await untilIdle(page);

  // One key each: good, bad, and a number with a label.
  await row('kettle').click();
  await page.keyboard.press('+');
  await expect(row('kettle')).toHaveAccessibleName(/marked good/);
  await expect(jobPane(page).getByRole('button', { name: 'Mark good' })).toHaveAttribute('aria-pressed', 'true');
  await row('harbour').click();
  await page.keyboard.press('Alt+2');
  await expect(row('harbour')).toHaveAccessibleName(/marked 2 of 5/);
  await page.keyboard.press('-');
  await expect(row('harbour')).toHaveAccessibleName(/marked bad/);
  await row('portrait').click();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Mark and label' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('wide angle');
  expect(await faults(app, page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  // Both keys in one task: the dialog has the focus at once.
  await page.evaluate(async () => {
    for (const key of ['m', '4']) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await Promise.resolve();
    }
  });
  await expect(row('portrait')).toHaveAccessibleName(/marked 4 of 5, label wide angle/);
  expect(await faults(app, page)).toEqual([]);

  // Undone in its toast.
  await row('harbour').click();
  await page.keyboard.press('s');
  await page
    .getByRole('status')
    .filter({ hasText: 'Starred this job' })
    .getByRole('button', { name: 'Undo' })
    .last()
    .click();
  await expect(jobPane(page).getByRole('button', { name: 'Star', exact: true })).toHaveAttribute(
    'aria-pressed',
    'false',
  );

  await searchJobs(page, 'mark:good ');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expect(row('harbour')).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await searchJobs(page, 'label:"Wide Angle" ');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filter' }).click();

  // A note is saved while it is typed, and found by its words.
  await row('kettle').click();
  await expect(jobPane(page).getByRole('heading', { name: 'the kettle' })).toBeVisible();
  await page.keyboard.press('5');
  await jobPane(page).getByRole('textbox', { name: 'Note' }).fill('Use as **reference**: overexposed');
  await expect(jobPane(page).getByText('Saved on this computer')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
  await jobPane(page).getByRole('radio', { name: 'Read' }).click();
  await expect(jobPane(page).getByRole('document', { name: 'Note' }).locator('strong')).toHaveText('reference');
  await searchJobs(page, 'overexposed');
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(row('kettle')).toHaveAccessibleName(/with a note/);
  await page.getByRole('button', { name: 'Clear filter' }).click();

  await expect(page.getByRole('option')).toHaveCount(3);
  await page.getByRole('listbox', { name: 'Jobs' }).press('ControlOrMeta+a');
  const bar = page.getByRole('toolbar', { name: '3 selected' });
  await app.answerDialog({ canceled: false, filePath: join(dataDir, 'set.ndjson') });
  await bar.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Export as dataset' }).click();
  await expect(page.getByText('3 jobs written to')).toBeVisible();
  const lines = (await readFile(join(dataDir, 'set.ndjson'), 'utf8')).trimEnd().split('\n');
  const records = lines.map((line): unknown => JSON.parse(line));
  expect(records).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ input: { prompt: 'the harbour' }, mark: 1, label: null }),
      expect.objectContaining({ input: { prompt: 'the portrait' }, mark: 4, label: 'wide angle' }),
      expect.objectContaining({ mark: 5, note: 'Use as **reference**: overexposed' }),
    ]),
  );
  await row('kettle').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy as dataset' }).click();
  await expect.poll(async () => (await app.clipboard()).split('\n').length).toBe(4);
});
