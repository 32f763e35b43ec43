import { faults } from '../kit/axe.ts';
import { goTo, sendJobs, toastOf } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

test('failed jobs are grouped by cause with what they have in common; all are retried, a cause is muted', async ({
  launch,
  startService,
}) => {
  // One worker for all jobs, so that the input alone tells failed jobs from completed ones.
  const service = await startService({ dialect: 'observed', scaling: { maxWorkers: 1 } });
  const { app, page } = await launch();
  await connectTo(page, service);
  const inputs = [
    // Enough of both kinds to call what separates them the likely reason.
    ...[5.1, 7.25, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5, 5.5].map((free, at) => ({
      title: `too large ${at}`,
      batch_size: 24,
      mock_error: `CUDA out of memory. Tried to allocate ${free} GiB for batch_size, ${at + 1} tries left.`,
    })),
    { title: 'no prompt', batch_size: 8, mock_error: "KeyError: 'prompt'" },
    ...Array.from({ length: 11 }, (_, at) => ({ title: `fits ${at}`, batch_size: 8, mock_output: at })),
  ];
  await sendJobs(
    page,
    inputs.map((input) => ({ endpoint: 'mock', input })),
  );
  await expect(page.getByRole('button', { name: /^Finished today/ })).toContainText('23', { timeout: 40_000 });

  // A failed job says how many failed like it, and leads to them.
  await page.getByRole('button', { name: /^Failed/ }).click();
  await page.getByRole('option', { name: /too large 10/ }).click();
  await expect(jobPane(page).getByText('11 jobs failed this way')).toBeVisible();
  await jobPane(page).getByRole('button', { name: 'Show them' }).click();
  await expect(page.getByRole('option', { name: /too large/ })).toHaveCount(11);
  await expect(page.getByRole('option', { name: /no prompt|fits/ })).toHaveCount(0);
  await page.getByRole('button', { name: /^All jobs/ }).click();

  // By the keys, and the sidebar counts the causes.
  await page.getByRole('listbox', { name: 'Jobs' }).focus();
  await goTo(page, 'e');
  const causes = page.getByRole('listbox', { name: 'Causes of failures' });
  await expect(causes.getByRole('option')).toHaveCount(2);
  const memory = causes.getByRole('option', {
    name: /CUDA out of memory. Tried to allocate … GiB for batch_size, … tries left/,
  });
  await expect(memory).toHaveAccessibleName(/11 jobs/);
  await expect(page.getByRole('button', { name: /^Failures/ })).toContainText('2');
  await memory.click();
  const detail = page.getByRole('region', { name: 'Cause', exact: true });
  await expect(detail.getByRole('heading', { name: 'CUDA out of memory', exact: true })).toBeVisible();
  await expect(detail).toContainText('Tried to allocate 5.1 to 7.25 GiB for batch_size, 1 to 11 tries left.');
  await expect(detail.getByRole('region', { name: 'What they have in common' })).toContainText('batch_size 24');
  await expect(detail.getByRole('region', { name: 'What they have in common' })).toContainText('0 of 11');
  await expect(memory).toHaveAccessibleName(/, new$/);
  await expect(detail.getByLabel('Time of the trend')).toContainText('now');
  expect(await faults(app, page, 'failures')).toEqual([]);

  // Of what separates them, the error names one: the newest job opens in the composer with that one value changed, and nothing is sent.
  await expect(detail).toContainText('Most likely reason: batch_size is 24. With 8, all 11 compared here completed.');
  await detail.getByRole('button', { name: 'Resubmit with 8' }).click();
  const composer = page.getByRole('dialog', { name: /^Resubmit / });
  const editor = composer.getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toContainText('"batch_size": 8');
  await expect(editor).toContainText(/too large \d+/);
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();

  // The palette has what can be done with the cause.
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('open in list');
  await expect(palette.getByRole('option', { name: /^Open in list/ })).toBeVisible();
  await palette.getByRole('combobox').fill('mute');
  await palette
    .getByRole('option', { name: /^Mute\b/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Mute this cause' }).getByRole('button', { name: 'Cancel' }).click();

  // The filter box narrows the causes, and clears by Escape.
  await causes.focus();
  await page.keyboard.press('/');
  await expect(page.locator('input:focus')).toHaveCount(1);
  await page.keyboard.type('keyerror');
  await expect(causes.getByRole('option')).toHaveCount(1);
  await page.keyboard.type(' nowhere');
  await expect(page.getByText('No cause matches')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(causes.getByRole('option')).toHaveCount(2);

  await causes.focus();
  await page.keyboard.press('ArrowDown');
  await expect(detail.getByRole('heading', { level: 2 })).toHaveText("KeyError: 'prompt'");
  await page.getByRole('button', { name: 'Grouping rules' }).click();
  const rules = page.getByRole('dialog', { name: 'How failures are grouped' });
  await expect(rules).toContainText('Tried to allocate … GiB');
  expect(await faults(app, page, 'grouping rules')).toEqual([]);
  await rules.getByRole('button', { name: 'Close' }).click();
  await expect(rules).toBeHidden();
  await page.keyboard.press('m');
  const question = page.getByRole('dialog', { name: 'Mute this cause' });
  await question.getByRole('textbox', { name: 'Reason' }).fill('Old clients');
  await question.getByRole('radio', { name: 'Until a date' }).click();
  await question.getByRole('textbox', { name: 'Until the day begins' }).fill('2020-01-01');
  await question.getByRole('textbox', { name: 'Until the day begins' }).press('Enter');
  await expect(question).toContainText('Enter a later day');
  await question.getByRole('radio', { name: 'Until it rises again' }).click();
  expect(await faults(app, page, 'mute a cause')).toEqual([]);
  await question.getByRole('button', { name: 'Mute' }).click();
  const muted = page.getByRole('listbox', { name: 'Muted causes' });
  await expect(muted.getByRole('option', { name: /KeyError/ })).toBeVisible();
  await expect(causes.getByRole('option')).toHaveCount(1);
  await page.getByRole('button', { name: /^Muted 1/ }).click();
  await expect(muted).toBeHidden();
  await page.getByRole('button', { name: /^Muted 1/ }).click();
  await expect(muted).toBeVisible();
  await expect(detail).toContainText('muted until more than 2 jobs fail within 24 hours: Old clients');
  await expect(detail.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Failures/ })).toContainText('1');
  expect(await faults(app, page), 'a muted cause').toEqual([]);
  // The key undoes it for minutes, also when its toast is gone.
  await page.keyboard.press('ControlOrMeta+z');
  await expect(muted).toBeHidden();
  await expect(causes.getByRole('option')).toHaveCount(2);

  // Grouped by endpoint, and by the worker that the failed jobs ran on.
  await expect(page.getByText('12 jobs, 2 causes in 7 days')).toBeVisible();
  await page.getByRole('radio', { name: 'Endpoint', exact: true }).click();
  await expect(causes.getByRole('group', { name: 'mock, 12 jobs' }).getByRole('option')).toHaveCount(2);
  await page.getByRole('radio', { name: 'Worker', exact: true }).click();
  const workers = causes.getByRole('group', { name: /^\S+ on mock, \d+ jobs?$/ });
  await expect(workers.first().getByRole('option').first()).toBeVisible();
  expect(await faults(app, page, 'failures by worker')).toEqual([]);
  await page.getByRole('radio', { name: 'Cause', exact: true }).click();
  await expect(causes.getByRole('group')).toHaveCount(0);

  // Retried, they fail again: as second attempts they stand under their cause once.
  await memory.click();
  await expect(detail.getByRole('heading', { name: 'CUDA out of memory', exact: true })).toBeVisible();
  await page.keyboard.press('r');
  await page.getByRole('dialog', { name: 'Retry 11 jobs?' }).getByRole('button', { name: 'Retry 11 jobs' }).click();
  await expect(page.getByText('11 jobs retried')).toBeVisible();
  await expect(detail.getByText('11 retried', { exact: true })).toBeVisible({ timeout: 20_000 });
  await detail.getByRole('button', { name: /too large 1\b/ }).click();
  await expect(jobPane(page).getByRole('button', { name: 'Attempt 2 of 2' })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: /^Failures/ }).click();
  await expect(memory).toHaveAttribute('aria-selected', 'true');
  await causes.focus();
  await page.keyboard.press('Enter');
  await expect(jobPane(page).getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: /^Failures/ }).click();
  await expect(memory).toHaveAccessibleName(/11 jobs/, { timeout: 20_000 });
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(detail.getByRole('button', { name: 'Retry all' })).toBeVisible();
  expect(await faults(app, page)).toEqual([]);

  // A mute until a day ends when that begins, in a window that reads nothing meanwhile.
  await memory.click();
  await detail.getByRole('button', { name: 'Mute', exact: true }).click();
  await question.getByRole('radio', { name: 'Until a date' }).click();
  const tomorrow = new Date(Date.now() + 86_400_000);
  // The Swedish form of a date is the one to enter: 2026-12-31.
  await question.getByRole('textbox', { name: 'Until the day begins' }).fill(tomorrow.toLocaleDateString('sv-SE'));
  await question.getByRole('button', { name: 'Mute' }).click();
  await expect(detail.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await page.clock.setFixedTime(tomorrow);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(detail.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();

  // A day later the service has none of their results: the key says so.
  await causes.focus();
  await page.keyboard.press('r');
  await expect(toastOf(page, 'Their results have expired on the service')).toBeVisible();

  // The key to mute needs nothing of a cause that is still being read.
  await app.ask('breakInvoke', 'failure:cause', { kind: 'never' });
  await page.reload();
  await expect(detail.getByRole('heading', { level: 2 })).toBeVisible({ timeout: 20_000 });
  await causes.focus();
  await page.keyboard.press('m');
  await expect(question).toBeVisible();
  await expect(detail.getByRole('region', { name: 'What they have in common' })).toHaveCount(0);
});
