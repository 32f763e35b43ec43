import { createCaller } from '../sandbox/integration/caller.ts';
import { chooseEndpoint, openPreferences, typeInput } from '../kit/person.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

let service: Sandbox;
const shared = shareApp(
  async ({ page }, startService) => {
    service = await startService();
    await connectTo(page, service);
    const settings = await openPreferences(page);
    await settings.getByRole('switch', { name: 'Receive webhooks' }).click();
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
  },
  // What runs is seen to move: here with all that moves.
  { ELECTRON_STAND_IN_REDUCED_MOTION: '0' },
);

test('a job submitted elsewhere is tracked by its id, and its result saved', async () => {
  const { page } = shared();
  const id = await createCaller(service).run('mock', { mock_return: { found: 'a result from somebody else' } });

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('submitted elsewhere');
  await expect(page.getByRole('option', { name: /^Track jobs/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Track jobs submitted elsewhere' });
  await expect(dialog.getByRole('button', { name: 'Track job' })).toBeDisabled();
  await dialog.getByLabel('Job ids').fill('nothing to be seen here!');
  await expect(dialog.getByText('No job id found.')).toBeVisible();
  await dialog.getByLabel('Job ids').fill(`curl said {"id":"${id}","status":"IN_QUEUE"}`);
  await expect(dialog.getByText('1 id found.')).toBeVisible();
  await dialog.getByRole('combobox', { name: /^Endpoint/ }).click();
  await page.getByRole('option', { name: 'mock' }).click();
  await dialog.getByRole('button', { name: 'Track job' }).click();
  await expect(dialog).toBeHidden();

  const pane = jobPane(page);
  await expect(pane.getByText('a result from somebody else')).toBeVisible();
  await pane.getByRole('tab', { name: 'Input' }).click();
  await expect(pane.getByText('It was submitted elsewhere, so only its sender knows the input.')).toBeVisible();
  // The pane keeps its tab for the next job.
  await pane.getByRole('tab', { name: 'Output' }).click();
});

test('a submission whose reply was lost is found by its webhook and tracked', async () => {
  const { page } = shared();
  const before = service.transitions().length;
  // The service is on this computer, so a new job has Jobdeck's receiver as webhook by default.
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await expect(sheet.getByLabel('Webhook address')).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+\//);
  await expect(
    sheet.getByText('The service calls Jobdeck when the job ends, and Jobdeck checks the job immediately.'),
  ).toBeVisible();
  await chooseEndpoint(page, 'mock');
  await typeInput(page, JSON.stringify({ mock_delay: 500, mock_return: 'not lost after all' }));
  service.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
  await sheet.getByRole('button', { name: 'Submit job' }).click();

  const pane = jobPane(page);
  await expect(pane.getByRole('region', { name: 'It probably arrived' })).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'Track it' }).click();
  await expect(pane.getByText('not lost after all').first()).toBeVisible();
  expect(
    service
      .transitions()
      .slice(before)
      .filter(({ cause }) => cause === 'submitted'),
  ).toHaveLength(1);
});

test('a job submitted elsewhere that calls the webhook is offered, and a click tracks it', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  const field = sheet.getByLabel('Webhook address');
  await expect(field).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+\//);
  const webhook = await field.inputValue();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  const reply = await fetch(`${service.baseUrl}/v2/mock/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: { mock_return: 'called back' }, webhook }),
  });
  const { id }: { id: string } = await reply.json();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('submitted elsewhere');
  await expect(page.getByRole('option', { name: /^Track jobs/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Track jobs submitted elsewhere' });
  await dialog
    .getByRole('group', { name: 'Reported by webhooks' })
    .getByRole('button', { name: `Add ${id}` })
    .click();
  await expect(dialog.getByLabel('Job ids')).toHaveValue(id);
  await expect(dialog.getByRole('group', { name: 'Reported by webhooks' })).toBeHidden();
  await dialog.getByRole('combobox', { name: /^Endpoint/ }).click();
  await page.getByRole('option', { name: 'mock' }).click();
  await dialog.getByRole('button', { name: 'Track job' }).click();
  await expect(jobPane(page).getByText('called back').first()).toBeVisible();
});
