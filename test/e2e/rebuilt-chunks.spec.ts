import { typeInput } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('a chunk whose reply never arrived is shown, marked as rebuilt from the output', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('combobox', { name: /^Endpoint/ }).click();
  await page.getByRole('option', { name: 'mock' }).click();
  await typeInput(
    page,
    JSON.stringify({ mock_delay: 150, mock_stream: Array.from({ length: 40 }, (_, at) => ({ text: `word ${at}` })) }),
  );
  await expect(sheet.getByRole('switch', { name: /^Keep everything/ })).toBeChecked();
  await sheet.getByRole('button', { name: 'Submit job' }).click();

  const pane = jobPane(page);
  await expect(pane.getByText('word 0')).toBeVisible();
  service.setFault({ kind: 'drop-after-accept', operation: 'stream', times: 1 });
  await expect(pane.getByText('Completed').first()).toBeVisible({ timeout: 30_000 });
  // The open pane shows it automatically.
  await pane.getByRole('radio', { name: 'Chunks' }).click();
  // The stream was followed, so its chunks are at their end.
  const chunks = pane.getByRole('list', { name: 'Chunks' });
  await chunks.hover();
  await page.mouse.wheel(0, -10_000);
  const rebuilt = chunks.getByText('Rebuilt').first();
  await rebuilt.hover();
  await expect(page.getByText('Rebuilt from the output: this chunk was not received')).toBeVisible();
});
