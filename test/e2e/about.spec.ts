import { faults } from '../kit/axe.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, test } from './fixtures.ts';

test('diagnostics are shown before they are copied, and contain no key', async ({ launch, startService }) => {
  const { app, page } = await launch();
  const service = await startService();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('navigation').getByRole('button', { name: 'About' }).click();
  expect(await app.clipboard()).toBe('');
  await dialog.getByRole('button', { name: 'Show diagnostics' }).click();
  const report = dialog.getByRole('region', { name: 'Diagnostics' });
  await expect(report).toContainText('Jobdeck');
  await expect(report).toContainText('Saved jobs');
  await expect(report).not.toContainText(TEST_API_KEY);
  expect(await faults(app, page)).toEqual([]);
  expect(await app.clipboard()).toBe('');
  await dialog.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect.poll(() => app.clipboard()).toBe(await report.textContent());
  await dialog.getByRole('button', { name: 'Open logs folder' }).click();
  await expect.poll(() => app.shownInFolder()).toEqual([expect.stringContaining('jobdeck.log')]);
});
