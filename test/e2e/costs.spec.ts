import type { Locator, Page } from '@playwright/test';
import { sendAndOpen } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

async function openCostCard(page: Page, endpointId: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill(`purge queue of ${endpointId}`);
  // The field is ahead of its list.
  const found = page.getByRole('option', { name: new RegExp(`^Purge queue of ${endpointId}`, 'i') });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Purge queue' })).toBeVisible();
  return page.getByRole('region', { name: 'Costs' });
}

test('an entered rate prices jobs, the list and the endpoint', async ({ launch, startService }) => {
  const service = await startService({ dialect: 'observed' });
  const { page } = await launch();
  await connectTo(page, service);
  await sendAndOpen(page, { endpoint: 'mock', input: { title: 'costs a little', mock_delay: 300 } });
  const pane = jobPane(page);
  await expect(pane.getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('tab', { name: 'Metrics' }).click();
  // A job without a price leads to where the rate is entered.
  await pane.getByRole('region', { name: 'Cost' }).getByRole('button', { name: 'Set a rate' }).click();
  const card = page.getByRole('region', { name: 'Costs' });
  const rate = card.getByRole('textbox', { name: 'Credits per hour and worker' });
  await expect(rate).toBeInViewport();
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.getByText('No rate')).toBeVisible();
  await card.getByRole('button', { name: 'Set a rate' }).click();
  const perJob = card.getByRole('textbox', { name: 'Warn above, per job' });
  await rate.fill('-3');
  await perJob.fill('often');
  await expect(card.getByText('Enter 0 or more')).toBeVisible();
  await expect(card.getByText('Enter a number, e.g. 0.69')).toBeVisible();
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(rate).toHaveValue('-3');
  await expect(perJob).toHaveValue('often');
  await rate.fill('36000');
  await perJob.fill('20');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('36,000.00 credits per hour')).toBeVisible();
  await expect(card.getByText('Entered by hand, for all jobs')).toBeVisible();
  await expect(card.getByText(/^1 jobabout [\d.]+$/)).toHaveCount(3);
  await expect(card.getByText(/^about [\d.]+$/)).toBeVisible();
  // A rate that is valid from now on is shown as soon as it is saved.
  await card.getByRole('button', { name: 'Edit' }).click();
  await rate.fill('36001');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('36,001.00 credits per hour')).toBeVisible();

  await page.getByRole('button', { name: /^All jobs/ }).click();
  await expect(page.getByRole('button', { name: /^Cost of this list: about [\d.]+ credits, 1 job$/ })).toBeVisible();
  await expect(pane.getByRole('region', { name: 'Cost' })).toContainText(/about [\d.]+ credits/);

  // A job that exceeds the limit is reported while it runs.
  await sendAndOpen(page, { endpoint: 'mock', input: { title: 'runs on and on', mock_delay: 600_000 } });
  await expect(page.getByText('runs on and on passed its cost limit')).toBeVisible({ timeout: 30_000 });
  await expect(
    page.getByText(/at about [\d.]+ credits when Jobdeck noticed; the limit for a job on mock is 20\.00/),
  ).toBeVisible();
  await pane.getByRole('tab', { name: 'Metrics' }).click();
  await expect(pane.getByRole('region', { name: 'Cost' })).toContainText(/credits so far, over the limit for a job/);
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  await expect(page.getByText('runs on and on passed its cost limit')).toBeHidden();

  // A day past its limit: the notice does not pose as the present sum, which the card shows on one line.
  const cardAgain = await openCostCard(page, 'mock');
  await page.setViewportSize({ width: 1000, height: 600 });
  await cardAgain.getByRole('button', { name: 'Edit' }).click();
  await expect(cardAgain.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
  await cardAgain.getByRole('textbox', { name: 'Warn above, per day' }).fill('1');
  await cardAgain.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^mock passed its cost limit for today/)).toBeVisible();
  await expect(page.getByText(/at about [\d,.]+ credits when Jobdeck noticed; .* what it costs now/)).toBeVisible();
  const today = cardAgain.locator('dl > div', { hasText: 'Today' });
  await expect(today).toContainText('over the limit for a day');
  for (const size of [
    { width: 1440, height: 900 },
    { width: 900, height: 600 },
  ]) {
    await page.setViewportSize(size);
    const heightOf = async (row: Locator): Promise<number> => Math.round((await row.boundingBox())?.height ?? 0);
    await expect.poll(() => heightOf(cardAgain.locator('dl > div').nth(1))).toBeLessThan(30);
    await expect
      .poll(async () => (await heightOf(today)) - (await heightOf(cardAgain.locator('dl > div').nth(1))))
      .toBe(0);
  }
});
