import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { TEST_API_KEY, transitionsSinceNow } from '../kit/sandbox.ts';
import { searchJobs, sendJobs, submitJob, typeInput } from '../kit/person.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

const paced = openPacedEndpoint();
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());
const endpoints = [...BUILT_IN_ENDPOINTS, paced.endpoint];

test.describe('in one app', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService({ endpoints });
    await connectTo(page, service, { key: 'not-the-key' });
  });

  // These two first, because the others need the right key.
  test('a wrong key can be replaced from the banner before any job was sent', async () => {
    const { page } = shared();
    const banner = page.getByRole('status').filter({ hasText: 'operations are refused' });
    await banner.getByRole('button', { name: 'Replace key' }).click({ timeout: 20_000 });
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings.getByLabel('API key')).toBeVisible();
    await settings.getByRole('button', { name: 'Close' }).click();
    await expect(settings).toBeHidden();
  });

  test('a wrong key is shown on the connection, jobs stay, and a new key resumes them', async () => {
    const { page } = shared();
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'sent with a wrong key' } });
    await expect(page.getByText('The service refused this key (401)').first()).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('option', { name: /sent with a wrong key/ })).toHaveCount(1);

    await page.getByRole('button', { name: 'Replace key' }).first().click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByLabel('API key').fill(TEST_API_KEY);
    await settings.getByRole('button', { name: 'Save connection' }).click();
    await expect(page.getByText('Production saved')).toBeVisible();
    await settings.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText('The service refused this key (401)')).toHaveCount(0);
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'sent with the right key' } });
    await openJobIn(page, 'sent with the right key', 'Completed');
    await expect(page.getByRole('option')).toHaveCount(2);
  });

  test('the service stops mid-job: the app shows offline, the history stays usable, and the job is tracked to its end when the service returns', async () => {
    const { page } = shared();
    await sendJobs(page, [{ endpoint: 'echo', input: { prompt: 'finished before the outage' } }]);
    await expect(page.getByRole('option', { name: /before the outage, Completed/ })).toBeVisible({ timeout: 20_000 });
    await submitJob(page, {
      endpoint: 'paced',
      input: { title: 'runs through the outage', paced_return: { word: 'marmalade' } },
    });
    await openJobIn(page, 'runs through the outage', 'In progress');

    await service.goOffline();
    await expect(page.getByText(/Offline since/).first()).toBeVisible({ timeout: 30_000 });
    paced.end();
    await searchJobs(page, 'before the outage');
    await expect(page.getByRole('option')).toHaveCount(1);
    await searchJobs(page, '');

    await service.goOnline();
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 60_000 });
    await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');
    await expect(page.getByText(/Offline since/)).toHaveCount(0);
  });

  test('a submission without a reply has an unknown outcome and is not sent twice', async () => {
    const { page } = shared();
    const transitions = transitionsSinceNow(service);
    service.setFault({ operation: 'run', kind: 'drop-after-accept', times: 1 });
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'did it arrive' } });
    const pane = await openJobIn(page, 'did it arrive', 'Outcome unknown');
    await expect(pane.getByRole('button', { name: /Submit again/ }).first()).toBeVisible();
    expect(new Set(transitions().map((each) => each.jobId)).size).toBe(1);
  });

  test('invalid JSON: position and reason are shown, the text stays, and the suggested repair fixes it', async () => {
    const { page } = shared();
    await page.getByRole('button', { name: 'New job' }).first().click();
    await typeInput(page, '{\n  "word_timestamps": ture\n}');
    const sheet = page.getByRole('dialog', { name: 'New job' });
    await expect(sheet.getByText('F8 next problem')).toBeVisible();
    await expect(sheet.getByRole('alert')).toHaveText('Fix line 2 to submit');
    await expect(sheet.getByRole('button', { name: 'Submit job' })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(sheet).toBeVisible();
    await expect(sheet.getByRole('textbox', { name: 'Input JSON' })).toContainText('"word_timestamps": ture');
    await sheet.getByRole('button', { name: 'Replace with true' }).click();
    await expect(sheet.getByRole('textbox', { name: 'Input JSON' })).toContainText('"word_timestamps": true');
    await expect(sheet.getByRole('button', { name: 'Submit job' })).not.toHaveAttribute('aria-disabled', 'true');
    await sheet.getByRole('button', { name: 'Close' }).click();
  });

  test('a malformed reply is saved and shown; the job is still tracked', async () => {
    const { page } = shared();
    service.setFault({ operation: 'status', kind: 'invalid-json', times: 1 });
    await submitJob(page, {
      endpoint: 'mock',
      input: { title: 'after a garbled reply', mock_delay: 500, mock_return: 'fine' },
    });
    const pane = await openJobIn(page, 'after a garbled reply', 'Completed');
    await pane.getByRole('tab', { name: /Requests/ }).click();
    await expect(pane.getByRole('tabpanel', { name: /Requests/ })).toContainText(
      'The service answered 200, but the reply is not JSON. The reply is saved as received.',
    );
  });

  test('an oversized input is refused with its size before anything is sent, and the text stays', async () => {
    const { page, dataDir } = shared();
    const transitions = transitionsSinceNow(service);
    await page.getByRole('button', { name: 'New job' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'New job' });
    // By its path: Chromium's port for tests takes half a minute of CPU for so many bytes in one message.
    const path = join(dataDir, 'call.opus');
    await writeFile(path, Buffer.alloc(8_000_000, 7));
    await sheet.getByLabel('File to attach').setInputFiles(path);
    await expect(sheet.getByText(/10\.7 MB; run accepts less than 10\.0 MB/).first()).toBeVisible({ timeout: 20_000 });
    await expect(sheet.getByRole('button', { name: 'Submit job' })).toHaveAttribute('aria-disabled', 'true');
    await sheet.getByRole('radio', { name: 'runsync' }).click();
    await expect(sheet.getByRole('button', { name: 'Submit job' })).not.toHaveAttribute('aria-disabled', 'true');
    expect(transitions()).toEqual([]);
  });
});

test('the app is killed mid-stream with a half-typed input: nothing received or typed is lost or duplicated', async ({
  launch,
  startService,
}) => {
  const service = await startService({ endpoints });
  const { app, page } = await launch();
  await connectTo(page, service);
  const words = Array.from({ length: 120 }, (_, index) => `w${index} `);
  await submitJob(page, { endpoint: 'paced', input: { title: 'killed mid-stream', paced_stream: words } });
  paced.pass(40);
  await expect(
    jobPane(page)
      .getByText(/\b40 chunks/)
      .first(),
  ).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'New job' }).first().click();
  await typeInput(page, '{"prompt": "half a thought about marmalade');
  const composer = page.getByRole('dialog', { name: 'New job' });
  await expect(composer.getByText(/^Draft saved/)).toBeVisible();
  await composer.getByRole('button', { name: 'Close' }).click();
  await app.kill();
  paced.pass(40);

  const again = await launch();
  await again.page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = again.page.getByRole('dialog', { name: 'New job' });
  await expect(sheet.getByRole('textbox', { name: 'Input JSON' })).toContainText('half a thought about marmalade');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await again.page.getByRole('option', { name: /killed mid-stream/ }).click();
  paced.end();
  await expect(jobPane(again.page).getByText('Completed').first()).toBeVisible({ timeout: 60_000 });
  const output = jobPane(again.page).getByRole('tabpanel', { name: 'Output' });
  await expect.poll(async () => (await output.innerText()).match(/w\d+/g)).toEqual(words.map((word) => word.trim()));
  expect(new Set(service.transitions().map((each) => each.jobId)).size).toBe(1);
});

test('a damaged database is set aside under a dated name, and Jobdeck says so, in a small window as one of several banners', async ({
  launch,
  dataDir,
  startService,
}) => {
  await writeFile(join(dataDir, 'history.db'), 'this is no database at all'.repeat(500));
  const service = await startService({ endpoints });
  const { page } = await launch();
  await connectTo(page, service);
  const setAside = page.getByText(/set aside/i);
  await expect(setAside).toBeVisible({ timeout: 20_000 });
  const kept = (await readdir(dataDir)).filter((name) => /\d{4}-\d{2}-\d{2}/.test(name));
  expect(kept.length).toBeGreaterThan(0);

  // While a job runs, Jobdeck soon meets the silence.
  const paced_stream = Array.from({ length: 20 }, (_, at) => ({
    output: `word ${at} `,
    metrics: { avg_gen_throughput: 40 + (at % 7) },
  }));
  await submitJob(page, { endpoint: 'paced', input: { title: 'runs on', paced_stream } });
  await openJobIn(page, 'runs on', 'In progress');
  paced.pass(10);
  // What moves while a stream is being read: the dot of the tab, the caret, and the dot at the end of a chart.
  const dot = jobPane(page).getByRole('tab', { name: 'Output' }).locator('[class*="live"]');
  const caret = jobPane(page).getByRole('tabpanel', { name: 'Output' }).locator('[class*="caret"]');
  const chartDot = jobPane(page).getByRole('region', { name: 'Worker metrics' }).locator('[class*="dot"]');
  for (const one of [dot, caret, chartDot]) await expect(one).toHaveCount(1);
  await service.goOffline();
  await expect(page.getByText(/Offline since/).first()).toBeVisible({ timeout: 30_000 });
  for (const one of [dot, caret, chartDot]) await expect(one).toHaveCount(0);
  await expect(setAside).toBeVisible();
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(setAside).toBeHidden();
  await expect(page.getByText(/Offline since/).first()).toBeVisible();
  await page.getByRole('button', { name: '1 more' }).click();
  await expect(setAside).toBeVisible();
  await page.getByRole('button', { name: 'Show one' }).click();
  await expect(setAside).toBeHidden();
});
