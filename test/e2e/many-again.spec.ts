import { faults } from '../kit/axe.ts';
import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, test } from './fixtures.ts';

test('many jobs are sent again only after a question that names their number, endpoint, time and cost', async ({
  launch,
  startService,
}) => {
  const { app, page } = await launch();
  await connectTo(page, await startService());
  await sendJobs(
    page,
    Array.from({ length: 11 }, (_, at) => ({ endpoint: 'mock', input: { title: `ticket ${at}`, mock_delay: 40 } })),
  );
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(11, { timeout: 30_000 });
  const list = page.getByRole('listbox', { name: 'Jobs' });
  const all = page.getByRole('button', { name: /^All jobs/ }).first();
  await page.getByRole('option').first().click();
  await list.press('ControlOrMeta+a');
  await list.press('Shift+e');
  const question = page.getByRole('dialog', { name: 'Submit 11 jobs again?' });
  await expect(question).toContainText('mock');
  await expect(question).toContainText(/11 jobs, about/);
  await expect(question).toContainText('Set a rate on the endpoint’s page to see the cost.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await faults(app, page, 'send many again')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(all).toHaveAccessibleDescription('11');

  // A few need no question.
  await list.press('Escape');
  await page.getByRole('option').first().click();
  await list.press('Shift+ArrowDown');
  await list.press('Shift+e');
  await expect(all).toHaveAccessibleDescription('13');

  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(13, { timeout: 30_000 });
  await list.press('ControlOrMeta+a');
  await list.press('Shift+e');
  await page.getByRole('button', { name: 'Submit 13 jobs' }).click();
  await expect(all).toHaveAccessibleDescription('26');
});
