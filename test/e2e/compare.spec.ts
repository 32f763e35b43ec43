import { faults } from '../kit/axe.ts';
import { submitJob } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('jobs are compared from the selection: facts, input by path, output by words, at 900 px too', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  const story = 'A matte ceramic kettle that fits a small worktop and boils in under four minutes.';
  const inputs = [
    { title: 'warm kettle', tone: 'warm', seed: 7, story: `${story} It is gorgeous.` },
    { title: 'plain kettle', tone: 'plain', seed: 7, story },
    { title: 'third kettle', tone: 'plain', seed: 8, story },
  ];
  for (const input of inputs) await submitJob(page, { endpoint: 'echo', input });
  const row = (name: string) => page.getByRole('option', { name: new RegExp(name) });
  for (const { title } of inputs) await expect(row(title)).toHaveAccessibleName(/Completed/, { timeout: 20_000 });

  await row('warm').click({ modifiers: ['ControlOrMeta'] });
  const one = page.getByRole('toolbar', { name: '1 selected' });
  await expect(one).toBeVisible();
  await expect(one.getByRole('button', { name: 'Compare' })).toHaveCount(0);
  await row('plain').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Compare' }).click();

  const region = page.getByRole('region', { name: 'Compared jobs' });
  await expect(region.getByRole('button', { name: 'warm kettle' })).toBeVisible();
  const input = region.getByRole('region', { name: 'Input' });
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toContainText('"warm"');
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toContainText('"plain"');
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('del')).toContainText('gorgeous');
  await expect(input.getByRole('group', { name: /seed/ })).toHaveCount(0);
  await input.getByRole('button', { name: /1 equal value/ }).click();
  await expect(input.getByRole('group', { name: '$.seed, equal' })).toBeVisible();
  await expect(
    region.getByRole('region', { name: 'Output' }).getByRole('group', { name: '$.tone, differs' }),
  ).toBeVisible();
  expect(await faults(app, page)).toEqual([]);

  // F8 goes from one difference to the next.
  await page.keyboard.press('F8');
  await expect(input.getByRole('group', { name: '$.title, differs' })).toBeFocused();
  await page.keyboard.press('F8');
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toBeFocused();

  await page.getByRole('toolbar', { name: 'Comparison' }).getByRole('button', { name: 'Swap' }).click();
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('ins')).toContainText('gorgeous');

  await page.setViewportSize({ width: 900, height: 600 });
  const { inner, outer } = await region.evaluate((each) => ({ inner: each.scrollWidth, outer: each.clientWidth }));
  expect(inner).toBeLessThanOrEqual(outer);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Back to the list by Escape; three by the key, and one is taken out again.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox', { name: 'Jobs' })).toBeVisible();
  await row('third').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(region.getByRole('button', { name: /kettle$/ })).toHaveCount(3);
  expect(await faults(app, page)).toEqual([]);
  await region.getByRole('button', { name: 'Take A out' }).click();
  await expect(region.getByRole('button', { name: 'warm kettle' })).toHaveCount(0);
  await expect(region.getByRole('button', { name: /kettle$/ })).toHaveCount(2);
});

test('the attempts of a job are compared from its pane', async ({ launch, startService }) => {
  const service = await startService();
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, { endpoint: 'mock', input: { title: 'fails twice', mock_error: 'no such model' } });
  const pane = jobPane(page);
  await expect(pane.getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'Retry' }).first().click();
  await expect(pane.getByRole('button', { name: 'Attempt 2 of 2' })).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'Attempt 2 of 2' }).click();
  await page.getByRole('menuitem', { name: 'Compare attempts' }).click();
  const region = page.getByRole('region', { name: 'Compared jobs' });
  await expect(region.getByText('attempt 1')).toBeVisible();
  await expect(region.getByText('attempt 2')).toBeVisible();
});
