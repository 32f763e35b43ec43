import { connectTo } from '../../e2e/fixtures.ts';
import { chooseEndpoint } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** Many inputs in the composer, and a batch in progress. */
export async function batches({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, 'mock');
  await shoot(page, 'batch-empty');
  const field = sheet.getByRole('textbox', { name: 'Inputs' });
  await field.fill(
    'prompt;sampling.max_tokens;seed\n"Label this ticket: ""printer, again""";64;7\nSummarise the ' +
      'call;128;\nTranslate the manual;256;9;extra\n',
  );
  await sheet.getByText('1 skipped').waitFor();
  await shoot(page, 'batch-csv');
  const row = (index: number): string =>
    JSON.stringify({
      title: `Judge answer ${index} against rubric v4`,
      mock_delay: 40 + ((index * 677) % 260),
      ...(index % 23 === 5 ? { mock_error: 'Total pixels must be between 589824 and 2073600.' } : {}),
    });
  const rows = Array.from({ length: 600 }, (_, index) => row(index + 1));
  await field.fill(
    [...rows.slice(0, 4), '{"title": "Judge answer 5", "rubric": ture}', '["not an object"]', ...rows.slice(4)].join(
      '\n',
    ),
  );
  await sheet.getByText('2 skipped').waitFor();
  await shoot(page, 'batch-problems');
  await field.fill(rows.join('\n'));
  await sheet.getByLabel('Batch name').fill('Nightly evaluation, rubric v4');
  await sheet.getByRole('button', { name: 'Submit 600 jobs' }).click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await strip.getByRole('button', { name: /completed/ }).waitFor({ timeout: 30_000 });
  await strip.getByRole('button', { name: 'Pause' }).click();
  await strip.getByText('paused').waitFor();
  await shoot(page, 'batch-paused');
  await strip.getByRole('button', { name: 'Discard unsent rows' }).click();
  await strip.getByText('discarding').waitFor();
  await shoot(page, 'batch-withdraw');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await strip.getByRole('button', { name: 'Resume' }).click();
  await strip.getByText('a second').waitFor({ timeout: 30_000 });
  await page.getByRole('option').nth(3).click();
  await shoot(page, 'batch-running');
  await strip.getByText('finished').waitFor({ timeout: 120_000 });
  await shoot(page, 'batch-done');
  await strip.getByRole('button', { name: /\d failed$/ }).click();
  await shoot(page, 'batch-failed-rows');
}
