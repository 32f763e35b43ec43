import type { JSHandle, Page } from '@playwright/test';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { endTimers, holdTimers } from '../kit/held-timers.ts';
import { sendJobs } from '../kit/person.ts';
import { TEST_API_KEY, createVirtualClock } from '../kit/sandbox.ts';
import { connectTo, expect, shareApp, test } from './fixtures.ts';

/** Nothing runs there: whatever is sent waits. */
const still = {
  id: 'still',
  handler: { builtIn: 'mock' },
  minWorkers: 0,
  maxWorkers: 0,
  coldStartMs: 0,
  idleTimeoutMs: 1_000,
} as const;

async function sendFromElsewhere(baseUrl: string, count: number, endpointId = 'still'): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await fetch(`${baseUrl}/v2/${endpointId}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: '{"input":{}}',
    });
  }
}

/** By the palette, as a person who searches for it would. */
async function showPurgeCard(page: Page, endpointId: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill(`purge queue of ${endpointId}`);
  // The field is ahead of its list.
  const found = page.getByRole('option', { name: new RegExp(`^Purge queue of ${endpointId}`, 'i') });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

async function openPurgeCard(page: Page, endpointId: string) {
  await showPurgeCard(page, endpointId);
  const card = page.getByRole('region', { name: 'Purge queue' });
  await expect(card.getByRole('textbox', { name: 'Type the endpoint name to unlock' })).toBeFocused();
  return card;
}

/** How long the button is held. */
const holdMs = 1_200;
/** How long a purge waits for a reading of its queue. */
const longestReadMs = 5_000;

/** What in the text of the window matches this pattern, each time that it changes from now on. */
function seenFromNow(page: Page, pattern: RegExp): Promise<JSHandle<string[]>> {
  return page.evaluateHandle((wanted) => {
    const seen: string[] = [];
    new MutationObserver(() => {
      const found = wanted.exec(document.body.textContent);
      if (found !== null) seen.push(found[0]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  }, pattern);
}

test('a queue is purged after its name and a hold; our jobs are marked and can be submitted again', async ({
  launch,
  startService,
}) => {
  const service = await startService({ dialect: 'spec', endpoints: [still] });
  const { page } = await launch();
  await connectTo(page, service);
  await sendJobs(
    page,
    ['a long wait', 'a longer wait'].map((title) => ({ endpoint: 'still', input: { title } })),
  );
  await expect(page.getByRole('option', { name: /In queue/ })).toHaveCount(2, { timeout: 20_000 });
  await sendFromElsewhere(service.baseUrl, 3);

  const card = await openPurgeCard(page, 'still');
  await expect(card.getByText('0 of 1 used (service limit 2 per 10 s)')).toBeVisible();
  await expect(card.getByText('5 waiting jobs')).toBeVisible();
  await expect(card.getByText('2 tracked here')).toBeVisible();
  await expect(card.getByText('3 sent from elsewhere')).toBeVisible();
  await expect(card.getByRole('list', { name: 'Waiting jobs sent from here' }).getByRole('listitem')).toHaveText([
    'a long wait',
    'a longer wait',
  ]);
  const hold = card.getByRole('button', { name: 'Hold to purge 5 jobs' });
  await expect(hold).toHaveAttribute('aria-disabled', 'true');

  await page.keyboard.type('stale');
  await expect(card.getByText('This is neither still nor its id')).toBeVisible();
  await card.getByRole('textbox').fill('still');
  await expect(hold).not.toHaveAttribute('aria-disabled', 'true');

  await holdTimers(page, holdMs);
  await hold.hover();
  await page.mouse.down();
  await page.mouse.up();
  await expect(card.getByText('Released too early. Hold for 1.2 s, or use two presses.')).toBeVisible();
  expect(service.requests().filter(({ operation }) => operation === 'purge-queue')).toEqual([]);

  const locked = await seenFromNow(page, /Locked, free in \d+ s/);
  // What stands above it may have grown meanwhile.
  await hold.hover();
  await page.mouse.down();
  await endTimers(page, holdMs);
  await expect(card.getByText('5 jobs removed')).toBeVisible({ timeout: 20_000 });
  await page.mouse.up();
  await expect(card.getByText('2 of 2 sent from here are gone. Their inputs stay saved.')).toBeVisible({
    timeout: 20_000,
  });
  // What it would remove is not said beside what it removed.
  await expect(card.getByText(/^Removes /)).toBeHidden();
  await expect(card.getByRole('textbox')).toBeHidden();
  await expect(card.getByText('a long wait')).toHaveCount(1);
  await expect(card.getByText(/^Last purge today, \d\d:\d\d$/)).toBeVisible();
  await expect(card.getByText(/^5 removed$/)).toBeVisible();
  // It was for a few seconds, which may have passed.
  await expect.poll(() => locked.evaluate((texts) => texts.length)).toBeGreaterThan(0);

  await card.getByRole('button', { name: 'Submit 2 purged jobs again' }).click();
  await expect(card.getByText('2 jobs submitted again')).toBeVisible();
  await expect.poll(() => service.transitions().filter(({ cause }) => cause === 'submitted').length).toBe(7);
  await page.getByRole('button', { name: /^All jobs/ }).click();
  await expect(
    page.getByRole('option', { name: /, Gone,/ }).filter({ hasText: 'Removed from the queue by your purge' }),
  ).toHaveCount(2);
  await expect(page.getByRole('option', { name: /In queue/ })).toHaveCount(2, { timeout: 20_000 });
  expect(
    service
      .requests()
      .filter(({ operation }) => operation === 'purge-queue')
      .map(({ count }) => count),
  ).toEqual([1]);
});

test.describe('in one app, each at its own endpoint', () => {
  let service: Sandbox;
  // The service's time: an answer that is delayed comes when the test lets it pass.
  const clock = createVirtualClock(Date.now());
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService({
      clock,
      dialect: 'observed',
      endpoints: ['silent', 'refusing', 'growing'].map((id) => ({ ...still, id })),
    });
    await connectTo(page, service);
  });

  test('a purge without a reply is shown as outcome unknown, and the queue is not purged a second time', async () => {
    const { page } = shared();
    await page.getByRole('button', { name: /^All jobs/ }).click();
    await sendJobs(page, [{ endpoint: 'silent', input: { title: 'who knows' } }]);
    await expect(page.getByRole('option', { name: /^who knows, In queue/ })).toBeVisible({ timeout: 20_000 });
    const card = await openPurgeCard(page, 'silent');
    await page.keyboard.type('silent');
    const hold = card.getByRole('button', { name: 'Hold to purge 1 job' });
    await expect(hold).not.toHaveAttribute('aria-disabled', 'true');
    service.setFault({ kind: 'drop-after-accept', operation: 'purge-queue', times: 1 });
    // By the keyboard: held like a button.
    await hold.focus();
    await holdTimers(page, holdMs);
    await page.keyboard.down('Space');
    await endTimers(page, holdMs);
    await expect(card.getByText('Outcome unknown: 1 job may have been removed')).toBeVisible({ timeout: 20_000 });
    await page.keyboard.up('Space');
    await expect(card.getByText(/Jobdeck will not send it again/)).toBeVisible();
    await expect(card.getByText(/^1 of 1 sent from here is gone/)).toBeVisible({ timeout: 20_000 });

    // It is still all that the card shows when it is opened again, until it is dismissed for good.
    await page.getByRole('button', { name: /^All jobs/ }).click();
    await showPurgeCard(page, 'silent');
    await expect(card.getByText('Outcome unknown: 1 job may have been removed')).toBeVisible();
    await expect(card.getByText('This queue is empty now.')).toBeHidden();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect(card.getByText('This queue is empty now.')).toBeVisible();
    await page.getByRole('button', { name: /^All jobs/ }).click();
    await openPurgeCard(page, 'silent');
    await expect(card.getByText('This queue is empty now.')).toBeVisible();
    await expect(card.getByText('Outcome unknown: 1 job may have been removed')).toBeHidden();
    expect(
      service
        .requests()
        .filter(({ endpointId, operation }) => endpointId === 'silent' && operation === 'purge-queue')
        .reduce((sum, { count }) => sum + count, 0),
    ).toBe(1);
  });

  test('a purge waits for the reading that its name asks for, so that its button has the number of now', async () => {
    const { page } = shared();
    const card = await openPurgeCard(page, 'growing');
    await expect(card.getByText('This queue is empty now.')).toBeVisible();
    await expect(card.getByRole('textbox')).toBeEnabled();
    service.setFault({ kind: 'delay', operation: 'health', endpointId: 'growing', delayMs: 1_500 });
    await sendFromElsewhere(service.baseUrl, 3, 'growing');
    await holdTimers(page, longestReadMs);
    await page.keyboard.type('growing');
    await expect(card.getByText('Reading the queue first.')).toBeVisible();
    await expect(card.getByRole('button', { name: /^Hold to purge/ })).toHaveAttribute('aria-disabled', 'true');
    service.setFault(null);
    clock.advance(1_500);
    const hold = card.getByRole('button', { name: 'Hold to purge 3 jobs' });
    await expect(hold).not.toHaveAttribute('aria-disabled', 'true');
    await expect(card.getByText('Reading the queue first.')).toBeHidden();
  });

  test('two presses replace the hold, and a refusal is shown in place with nothing lost', async () => {
    const { page } = shared();
    await page.getByRole('button', { name: /^All jobs/ }).click();
    await sendJobs(page, [{ endpoint: 'refusing', input: { title: 'stays for now' } }]);
    await expect(page.getByRole('option', { name: /^stays for now, In queue/ })).toBeVisible({ timeout: 20_000 });
    const card = await openPurgeCard(page, 'refusing');
    await page.keyboard.type('refusing');
    service.setFault({ kind: 'status', status: 404, operation: 'purge-queue', times: 1 });
    await card.getByRole('button', { name: 'Purge with two presses instead' }).click();
    await card.getByRole('button', { name: 'Confirm purge of 1 job' }).click();
    await expect(card.getByText('Nothing was purged')).toBeVisible();
    await expect(card.getByText(/A fault of the sandbox answers 404/)).toBeVisible();
    await expect(card.getByRole('textbox', { name: 'Type the endpoint name to unlock' })).toHaveValue('refusing');
    await expect(card.getByText('No purges yet')).toBeVisible();
    await expect(card.getByRole('list', { name: 'Waiting jobs sent from here' }).getByRole('listitem')).toHaveText([
      'stays for now',
    ]);
  });
});
