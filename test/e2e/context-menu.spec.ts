import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, test } from './fixtures.ts';

test('a row and an endpoint have context menus, for one job and for several', async ({ launch, startService }) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await sendJobs(
    page,
    ['first of two', 'second of two'].map((prompt) => ({ endpoint: 'echo', input: { prompt } })),
  );
  const first = page.getByRole('option', { name: /first of two/ });
  const second = page.getByRole('option', { name: /second of two/ });
  await expect(first).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
  await expect(second).toHaveAccessibleName(/Completed/, { timeout: 20_000 });

  await first.click({ button: 'right' });
  // What is copied and exported has a menu of its own, by key as well.
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).hover();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('menuitem', { name: /^Copy output/ })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Copy id' }).click();
  await expect.poll(() => app.clipboard()).toMatch(/-u\d$/);
  await first.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export', exact: true }).click();
  const exported = page.getByRole('menuitem', { name: 'Export as HTML report' });
  await expect(exported).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(exported).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await first.click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Cancel job/ })).toBeDisabled();
  await menu.getByRole('menuitem', { name: 'Star' }).click();
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Starred' }).click();
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('button', { name: 'All jobs' }).first().click();

  await second.click({ modifiers: ['ControlOrMeta'] });
  await first.click({ modifiers: ['ControlOrMeta'] });
  await second.click({ button: 'right' });
  await expect(menu.getByText('2 selected jobs')).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Resubmit' }).click();
  await expect(page.getByRole('option')).toHaveCount(4, { timeout: 20_000 });

  await page.getByRole('button', { name: 'mock', exact: true }).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'New job' }).click();
  await expect(
    page.getByRole('dialog', { name: 'New job' }).getByRole('combobox', { name: 'Endpoint: mock' }),
  ).toBeVisible();
});
