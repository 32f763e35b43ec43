import type { Page } from '@playwright/test';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { createCaller } from '../sandbox/integration/caller.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { sendAndOpen, submitJob } from '../kit/person.ts';
import { connectTo, expect, jobPane, runByPalette, shareApp, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

const notKnown = 'The service does not know this job right now';
const note = (page: Page, text: string | RegExp) => jobPane(page).getByRole('note').filter({ hasText: text });
/** How often the service has not known the open job, as its note says it. */
const timesUnknown = async (page: Page): Promise<number> => {
  const [, count = '1'] = /404 (twice|\d+)/.exec(await note(page, notKnown).innerText()) ?? [];
  return count === 'twice' ? 2 : Number(count);
};
const titles = async (app: LaunchedApp): Promise<string[]> => (await app.notifications()).map(({ title }) => title);

const paced = openPacedEndpoint();
const endpoints = [...BUILT_IN_ENDPOINTS, paced.endpoint];
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());

test('one refused operation is named once and blocks nothing else', async ({ launch, startService }) => {
  const service = await startService({ endpoints });
  const { app, page } = await launch();
  await connectTo(page, service);
  await sendAndOpen(page, {
    endpoint: 'paced',
    input: { title: 'goes on all the same', paced_return: { word: 'marmalade' } },
  });
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
  service.setFault({ operation: 'cancel', kind: 'status', status: 403 });
  await jobPane(page).getByRole('button', { name: 'Cancel job' }).click();

  const banner = page.getByRole('status').filter({ hasText: 'One operation is refused: cancel on paced (403)' });
  await expect(banner).toContainText('Jobs there cannot be cancelled. Nothing else is refused.', { timeout: 20_000 });
  await banner.getByRole('button', { name: 'Show the reply' }).click();
  await expect(banner).toContainText('/cancel/');
  await expect(page.getByRole('button', { name: '1 operation refused' })).toBeVisible();
  await expect.poll(async () => JSON.stringify(await app.tray())).toContain('Refused: cancel on paced');
  expect((await app.tray())?.image).toContain('attention');
  await expect.poll(() => titles(app), { timeout: 20_000 }).toContain('Cancel on paced is refused (403)');

  paced.end();
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 40_000 });
  await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');
  expect((await titles(app)).filter((title) => title.includes('refused'))).toHaveLength(1);
});

test.describe('in one app', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService({ endpoints });
    await connectTo(page, service);
  });

  test('a job that the service briefly does not know stays active, says so, and is checked immediately on request', async () => {
    const { page } = shared();
    await sendAndOpen(page, {
      endpoint: 'paced',
      input: { title: 'not known for a moment', paced_return: { word: 'marmalade' } },
    });
    await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });

    service.setFault({ operation: 'status', kind: 'status', status: 404 });
    await expect(note(page, notKnown)).toBeVisible({ timeout: 30_000 });
    await expect(note(page, notKnown)).toContainText(
      /It (answered 404 at|has answered 404 (twice|\d+ times) since) .*\. Next check (in|now).*(marks it as gone|not before)/,
    );
    await expect(jobPane(page).getByText('In progress').first()).toBeVisible();
    await expect(
      page.getByRole('option', { name: /not known for a moment, In progress, not known to the service right now/ }),
    ).toContainText('next check');

    await page.getByRole('button', { name: /^Notifications(, \d+ not seen)?$/ }).click();
    const going = page
      .getByRole('complementary', { name: 'Notifications' })
      .getByRole('region', { name: 'Still going on' })
      .getByRole('listitem')
      .filter({ hasText: '1 job not known to the service right now' });
    await expect(going).toContainText('not known for a moment');
    // A press while a check runs is that check: what is asked after the service knows the job again is asked anew.
    const before = await timesUnknown(page);
    await note(page, notKnown).getByRole('button', { name: 'Check now' }).click();
    await expect.poll(() => timesUnknown(page)).toBeGreaterThan(before);
    service.setFault(null);
    await going.getByRole('button', { name: 'Check now' }).click();
    await expect(note(page, notKnown)).toHaveCount(0, { timeout: 20_000 });
    await expect(going).toHaveCount(0);
    await page.keyboard.press('Escape');
    paced.end();
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 40_000 });
    await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');
  });

  test('a job called gone can be checked again: a job still missing says so, a found one is tracked', async () => {
    const { page } = shared();
    const before = service.transitions().length;
    const submitted = (): string | undefined =>
      service
        .transitions()
        .slice(before)
        .find(({ cause }) => cause === 'submitted')?.jobId;
    await submitJob(page, {
      endpoint: 'paced',
      input: { title: 'called gone too early', paced_return: { word: 'marmalade' } },
      beforeSubmit: () => page.getByRole('dialog', { name: 'New job' }).getByLabel('Time to live (ttl)').fill('10 s'),
    });
    // Another client gives it more time, which Jobdeck cannot know.
    await expect.poll(submitted).toBeDefined();
    expect((await createCaller(service).get(`paced/status/${submitted() ?? ''}?ttl=600000`)).status).toBe(200);
    await expect(jobPane(page).getByRole('heading', { name: 'called gone too early' })).toBeVisible();
    await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
    service.setFault({ operation: 'status', kind: 'status', status: 404 });
    await expect(jobPane(page).getByText('Gone from server').first()).toBeVisible({ timeout: 60_000 });

    await jobPane(page).getByRole('button', { name: 'Check now' }).click();
    await expect(note(page, 'The service still does not know this job (404)')).toBeVisible({ timeout: 20_000 });
    service.setFault(null);
    await jobPane(page).getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText('The service knows this job again; Jobdeck tracks it')).toBeVisible({
      timeout: 20_000,
    });
    paced.end();
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 60_000 });
    await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');
  });

  test('a stream that cannot be read after the end is still pending, never “no output”, and is read when possible', async () => {
    const { app, page } = shared();
    await app.leave();
    service.setFault({ operation: 'stream', kind: 'status', status: 503 });
    await sendAndOpen(page, {
      endpoint: 'mock',
      input: { title: 'its stream comes late', mock_delay: 300, mock_stream: ['one ', 'two ', 'three'] },
    });
    const still = 'The rest of the stream is still being fetched, until';
    await expect(note(page, still)).toBeVisible({ timeout: 60_000 });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible();
    await expect(
      page.getByRole('option', { name: /its stream comes late, Completed, stream still being fetched, until/ }),
    ).toBeVisible();
    await expect(jobPane(page).getByText(/no output/i)).toHaveCount(0);
    await expect(page.getByRole('option', { name: /its stream comes late.*no output/i })).toHaveCount(0);
    const ownTitles = async (): Promise<string[]> =>
      (await titles(app)).filter((title) => title.startsWith('its stream comes late'));
    await expect.poll(ownTitles).toEqual(['its stream comes late completed']);

    service.setFault(null);
    await note(page, still).getByRole('button', { name: 'Fetch now' }).click();
    await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('one two three', {
      timeout: 20_000,
    });
    await expect(note(page, still)).toHaveCount(0);
    expect(await ownTitles()).toHaveLength(1);
  });

  test('waiting for the rest of a stream can be stopped; a retry warns that it deletes the rest', async () => {
    const { page } = shared();
    service.setFault({ operation: 'stream', kind: 'status', status: 404 });
    await sendAndOpen(page, {
      endpoint: 'mock',
      input: {
        title: 'fails, with a stream',
        mock_delay: 300,
        mock_stream: ['part '],
        mock_error: 'The model could not be loaded.',
      },
    });
    const still = 'The rest of the stream is still being fetched, until';
    await expect(note(page, still)).toBeVisible({ timeout: 60_000 });
    const retry = jobPane(page).getByRole('button', { name: 'Retry' });
    await expect(retry).toHaveAttribute('aria-disabled', 'true');
    await retry.hover();
    await expect(
      page.getByText('A retry would delete the rest of its stream on the service; stop waiting first'),
    ).toBeVisible();

    await note(page, still).getByRole('button', { name: 'Stop waiting' }).click();
    await expect(note(page, still)).toHaveCount(0);
    await expect(retry).not.toHaveAttribute('aria-disabled', 'true');
    service.setFault(null);
  });

  test('a refused status operation opens again by "Try now", and its jobs are tracked again', async () => {
    const { app, page } = shared();
    await sendAndOpen(page, {
      endpoint: 'paced',
      input: { title: 'unseen for a while', paced_return: { word: 'marmalade' } },
    });
    await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
    service.setFault({ operation: 'status', endpointId: 'paced', kind: 'status', status: 403 });
    const banner = page.getByRole('status').filter({ hasText: 'One operation is refused: status on paced (403)' });
    await expect(banner).toContainText(/A result may expire on the service from \d\d:\d\d\..*Next try in/, {
      timeout: 30_000,
    });
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'another endpoint works' } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });

    paced.end();
    service.setFault(null);
    await banner.getByRole('button', { name: 'Try now' }).click();
    await expect(banner).toHaveCount(0, { timeout: 20_000 });
    await page.getByRole('option', { name: /unseen for a while/ }).click();
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    await expect.poll(async () => JSON.stringify(await app.tray())).not.toContain('Refused');

    // A service that asks to wait for an hour is asked again when the user wants that. A sleep does not end its wait.
    if (app.kind === 'stand-in') {
      service.setFault({ operation: 'status', endpointId: 'mock', kind: 'status', status: 503, retryAfterS: 3_600 });
      await sendAndOpen(page, {
        endpoint: 'mock',
        input: { title: 'read after a sleep', mock_return: { word: 'quince' } },
      });
      await expect.poll(() => service.requestLog.since(0).some(({ status }) => status === 503)).toBe(true);
      service.setFault(null);
      await app.firePower('resume');
      await runByPalette(page, 'Check everything now');
      await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
    }

    // Rate limited: what waits, how long, and what still works.
    service.setFault({ operation: 'status', kind: 'status', status: 429, retryAfterS: 2 });
    await sendAndOpen(page, { endpoint: 'mock', input: { title: 'rate limited for a while' } });
    const slowed = page.getByRole('status').filter({ hasText: 'The service asked for fewer requests (429)' });
    await slowed.getByRole('button', { name: 'Details' }).click({ timeout: 60_000 });
    await expect(slowed).toContainText('Submitting still works.');
    await expect(slowed).toContainText(/Back-off for status, .*\d+ consecutive 429 replies.*up to 0\.5 s/);
    await sendAndOpen(page, { endpoint: 'echo', input: { title: 'submitted all the same' } });
    service.setFault(null);
    await expect(slowed).toHaveCount(0, { timeout: 60_000 });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  });

  test('a key refused everywhere is tried again, automatically and by "Try now"', async () => {
    const { app, page } = shared();
    await sendAndOpen(page, {
      endpoint: 'paced',
      input: { title: 'outlives a refused key', paced_return: { word: 'marmalade' } },
    });
    await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
    service.setFault({ kind: 'status', status: 401 });
    const banner = page.getByRole('alert').filter({ hasText: 'The service refused this key (401)' });
    await expect(banner).toContainText(/stopped at .*Next try in/, {
      timeout: 60_000,
    });
    await expect.poll(async () => JSON.stringify(await app.tray())).toContain('Key refused: Production');
    await expect
      .poll(() => titles(app), { timeout: 20_000 })
      .toContain('The service refuses the key for Production (401)');

    paced.end();
    service.setFault(null);
    await banner.getByRole('button', { name: 'Try now' }).click();
    await expect(banner).toHaveCount(0, { timeout: 30_000 });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 40_000 });
  });
});
