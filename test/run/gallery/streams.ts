import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { saveStream } from '../../kit/saved-stream.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const paragraph =
  'Every health probe returned idle workers, which the dashboard drew in green. Depth on the image queue rose from 9 to 1,940 while the queue held every worker until the lock was released.';

/** A long finished stream: its beginning, its end, a search in it, its chunks. */
export async function streams({ launch, service, dataDir }: Stage): Promise<void> {
  const first = await launch();
  await connectTo(first.page, service);
  const text = Array.from({ length: 4_000 }, (_, at) =>
    at % 4 === 0 ? `## Step ${at / 4 + 1}` : `${at}. ${paragraph}`,
  ).join('\n');
  await saveStream({
    page: first.page,
    dataDir,
    closeApp: first.app.close,
    title: 'Post-incident review of 4182 from 61 pages of logs',
    text,
  });
  const { page } = await launch();
  await page.getByRole('option', { name: /Post-incident/ }).click();
  const output = jobPane(page).getByRole('document', { name: 'Output text' });
  await output
    .getByText('Step 1', { exact: true })
    .or(output.getByText('## Step 1', { exact: true }))
    .first()
    .waitFor();
  await shoot(page, 'stream-begin');
  await output.click();
  await page.keyboard.press('End');
  await output.getByText('Step 1000', { exact: true }).waitFor();
  await shoot(page, 'stream-end');
  await page.keyboard.press('ControlOrMeta+f');
  const field = page.getByRole('textbox', { name: 'Search in the output' });
  await shoot(page, 'stream-find-empty');
  await field.fill('lock');
  await page
    .getByRole('search')
    .getByText(/of 3,000/)
    .waitFor();
  await page.keyboard.press('Enter');
  await shoot(page, 'stream-find');
  await field.fill('heliotrope');
  await page.getByRole('search').getByText(/^No/).or(page.getByRole('search').getByText(/0/)).first().waitFor();
  await shoot(page, 'stream-find-none');
  await page.keyboard.press('Escape');
  await jobPane(page).getByRole('radio', { name: 'Chunks' }).click();
  await jobPane(page).getByRole('list', { name: 'Chunks' }).waitFor();
  await shoot(page, 'stream-chunks');
}
