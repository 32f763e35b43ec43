import { holdToasts } from '../kit/held-timers.ts';
import { submitJob, submitJobs } from '../kit/person.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { transitionsSinceNow } from '../kit/sandbox.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

let service: Sandbox;
const shared = shareApp(async ({ page }, startService) => {
  service = await startService();
  await connectTo(page, service);
});

test('cancel stops a running job at the service', async () => {
  const { page } = shared();
  const transitions = transitionsSinceNow(service);
  await submitJob(page, { endpoint: 'mock', input: { title: 'never ends', mock_delay: 600_000 } });
  const pane = await openJobIn(page, 'never ends', 'In progress');
  await pane.getByRole('button', { name: 'Cancel job' }).click();
  await expect(pane.getByText('Cancelled').first()).toBeVisible({ timeout: 20_000 });
  expect(transitions().at(-1)).toMatchObject({ endpointId: 'mock', to: 'CANCELLED' });
  await expect(pane.getByRole('button', { name: 'Cancel job' })).toHaveAttribute('aria-disabled', 'true');
});

test('a failed job shows its error, and retry runs it again under the same id and keeps the former attempt', async () => {
  const { app, page } = shared();
  const transitions = transitionsSinceNow(service);
  await app.leave();
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'board-call.wav',
      mock_error: {
        error_type: 'OutOfMemoryError',
        error_message: 'CUDA out of memory',
        error_traceback: 'Traceback (most recent call last):\n  File "handler.py", line 118, in run',
      },
    },
  });
  const pane = await openJobIn(page, 'board-call.wav', 'Failed');
  await expect(pane.getByText('CUDA out of memory').first()).toBeVisible();
  await expect(pane.getByText(/handler\.py/).first()).toBeVisible();
  await expect
    .poll(async () => (await app.notifications()).map((each) => each.title))
    .toContain('board-call.wav failed');
  const firstId = transitions()[0]?.jobId;

  await pane.getByRole('button', { name: 'Retry' }).click();
  await expect(pane.getByText('Attempt 2').first()).toBeVisible({ timeout: 20_000 });
  await expect(pane.getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
  const accepted = transitions().filter((each) => each.to === 'IN_QUEUE');
  expect(accepted).toHaveLength(2);
  expect(accepted.every((each) => each.jobId === firstId)).toBe(true);
});

test('resubmit with edits opens the composer with the saved input and sends a new job', async () => {
  const { page } = shared();
  const transitions = transitionsSinceNow(service);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'the former input' } });
  const pane = await openJobIn(page, 'the former input', 'Completed');
  // Toasts cover the list, never the job, however narrow the window is.
  await holdToasts(page);
  for (const [width, height] of [
    [1_440, 900],
    [900, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('listbox', { name: 'Jobs' }).press('ControlOrMeta+Shift+c');
    const said = page.getByText(/cURL/).and(page.locator('[role=status] *')).first();
    await expect(said).toBeVisible();
    const overlap = (): Promise<number> =>
      said.evaluate((text) => {
        const toasts = [...(text.closest('[role=status]')?.children ?? [])];
        const right = Math.max(...toasts.map((toast) => toast.getBoundingClientRect().right));
        const job = document.querySelector('[role=region][aria-label=Job], section[aria-label=Job]');
        return right - (job?.getBoundingClientRect().left ?? Number.NaN);
      });
    await expect.poll(overlap).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1_440, height: 900 });

  await pane.getByRole('button', { name: 'Resubmit with edits' }).click();
  const sheet = page.getByRole('dialog', { name: 'Resubmit the former input' });
  await expect(sheet.getByRole('heading', { level: 2, name: 'Resubmit the former input' })).toBeVisible();
  const editor = sheet.getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toContainText('the former input');
  await expect(editor).toBeFocused();
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await expect(sheet.getByRole('textbox', { name: 'Inputs' })).toBeFocused();
  await sheet.getByRole('radio', { name: 'One input' }).click();
  await expect(editor).toBeFocused();
  await sheet.getByRole('button', { name: 'Submit job' }).click();
  await expect(page.getByRole('option', { name: /the former input/ })).toHaveCount(2);
  await expect.poll(() => new Set(transitions().map((each) => each.jobId)).size).toBe(2);
});

test('the keys N, Escape, J, K and the search key work', async () => {
  const { page } = shared();
  await submitJobs(
    page,
    ['older', 'newer'].map((prompt) => ({ endpoint: 'echo', input: { prompt } })),
  );
  // Both where they stay: jobs that run are above those that ended.
  await expect(page.getByRole('option', { name: /(older|newer), Completed/ })).toHaveCount(2);
  await page.getByRole('option', { name: /newer/ }).click();
  await page.keyboard.press('j');
  await expect(jobPane(page).getByRole('heading', { name: 'older' })).toBeVisible();
  await page.keyboard.press('k');
  await expect(jobPane(page).getByRole('heading', { name: 'newer' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'New job' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'New job' })).toBeHidden();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox', { name: 'Search or run' }).fill('older');
  await palette.getByRole('option', { name: /older/ }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'older' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search jobs' })).toBeFocused();
  await page.keyboard.type('older');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filter' }).click();
});

test('a job opens in a window of its own', async () => {
  const { app, page } = shared();
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'in its own window' } });
  const pane = await openJobIn(page, 'in its own window', 'Completed');
  await pane.getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow(/^#?\/job\//);
  await expect(own.getByRole('heading', { name: 'in its own window' }).first()).toBeVisible();
  // Wide, its actions are in the title bar; narrow, above its output: once in either.
  for (const width of [1_200, 800]) {
    await own.setViewportSize({ width, height: 700 });
    await expect(own.getByRole('button', { name: 'Resubmit with edits' })).toHaveCount(1);
    await expect(own.getByRole('button', { name: 'Star' })).toHaveCount(1);
  }
  await own.close();
});

test('an S3 profile is created in the composer, used without showing its secret, and deleted', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('combobox', { name: /^S3 profile/ }).click();
  await page.getByRole('option', { name: 'New profile' }).click();
  await sheet.getByLabel('accessId').fill('JDX4Q7TRANSCRIPT');
  await sheet.getByLabel('accessSecret').fill('s3-secret-marmalade');
  await sheet.getByLabel('bucketName').fill('transcripts-eu');
  await sheet.getByLabel('endpointUrl').fill('https://s3.example.test');
  await expect(sheet.getByText('The new S3 profile is not saved and will not be sent')).toBeVisible();
  await sheet.getByRole('button', { name: 'Use for this job' }).click();
  await expect(sheet.getByText('The new S3 profile is not saved and will not be sent')).toBeHidden();
  await expect(sheet.getByText('Secret saved in the key storage')).toBeVisible();
  await expect(sheet.getByRole('region', { name: 'cURL' })).not.toContainText('s3-secret-marmalade');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'with storage' } });
  await openJobIn(page, 'with storage', 'Completed');
  expect(await page.content()).not.toContain('s3-secret-marmalade');

  await jobPane(page).getByRole('button', { name: 'Resubmit with edits' }).click();
  const resubmission = page.getByRole('dialog', { name: 'Resubmit with storage' });
  await resubmission.getByRole('button', { name: 'Delete profile' }).click();
  await page
    .getByRole('dialog', { name: 'Delete transcripts-eu' })
    .getByRole('button', { name: 'Delete profile' })
    .click();
  await expect(resubmission.getByRole('combobox', { name: 'S3 profile: None' })).toBeVisible();
  await resubmission.getByRole('button', { name: 'Close' }).click();
  await expect(resubmission).toBeHidden();
});
