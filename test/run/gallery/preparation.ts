import { join } from 'node:path';
import { putOldHistory } from '../../kit/old-history.ts';
import { openSandbox } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** The window while a history of a former version is upgraded. */
export async function preparation({ launch, dataDir }: Stage): Promise<void> {
  const first = await launch();
  await openSandbox(first.page);
  await first.app.close();
  const old = putOldHistory(join(dataDir, 'history.db'));
  old.exec('BEGIN IMMEDIATE');
  const { page } = await launch();
  await page.getByText('Bringing your history up to date').waitFor();
  await shoot(page, 'preparation');
  old.exec('COMMIT');
  old.close();
  await page.getByRole('option', { name: /Old harbour/ }).waitFor({ timeout: 20_000 });
  await shoot(page, 'prepared');
}
