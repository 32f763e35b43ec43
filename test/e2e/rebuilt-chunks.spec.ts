import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { chooseEndpoint, typeInput } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.afterAll(() => paced.close());

test('a chunk whose reply never arrived is shown, marked as rebuilt from the output', async ({
  launch,
  startService,
}) => {
  const service = await startService({ endpoints: [paced.endpoint] });
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await chooseEndpoint(page, 'paced');
  const paced_stream = Array.from({ length: 40 }, (_, at) => ({ text: `word ${at}` }));
  await typeInput(page, JSON.stringify({ paced_stream }));
  await expect(sheet.getByRole('switch', { name: /^Keep everything/ })).toBeChecked();
  await sheet.getByRole('button', { name: 'Submit job' }).click();

  const pane = jobPane(page);
  paced.pass(1);
  await expect(pane.getByText('word 0')).toBeVisible();
  const reads = (): number =>
    service.requests().reduce((sum, { operation, count }) => sum + (operation === 'stream' ? count : 0), 0);
  service.setFault({ kind: 'drop-after-accept', operation: 'stream' });
  paced.pass(20);
  const before = reads();
  // The first of them may have begun before the words came.
  await expect.poll(reads).toBeGreaterThan(before + 1);
  service.setFault(null);
  paced.end();
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
