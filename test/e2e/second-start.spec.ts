import { join } from 'node:path';
import { launchApp } from '../kit/launch.ts';
import { putOldHistory } from '../kit/old-history.ts';
import { openSandbox } from '../kit/person.ts';
import { expect, test } from './fixtures.ts';

test('a second start while the history is prepared brings the window forward and ends', async ({ launch, dataDir }) => {
  const first = await launch();
  await openSandbox(first.page);
  await first.app.close();
  const old = putOldHistory(join(dataDir, 'history.db'));
  old.exec('BEGIN IMMEDIATE');
  const { app, page } = await launch();
  await expect(page.getByRole('status')).toContainText('Bringing your history up to date');
  const visibility = (): Promise<string> => page.evaluate(() => document.visibilityState);
  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(visibility).toBe('hidden');
  await expect(launchApp({ dataDir })).rejects.toThrow();
  await expect.poll(visibility).toBe('visible');
  old.exec('COMMIT');
  old.close();
  await expect(page.getByRole('option', { name: /Old harbour/ })).toBeVisible({ timeout: 20_000 });
  expect(app.windows()).toHaveLength(1);
});
