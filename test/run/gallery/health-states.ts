import type { Locator, Page } from '@playwright/test';
import { connectTo } from '../../e2e/fixtures.ts';
import { openHealth } from './health.ts';
import { shoot, shootThemes, sizes } from './stage.ts';
import type { Stage } from './stage.ts';

const paneOf = (page: Page): Locator => page.getByRole('region', { name: 'Health', exact: true });
const card = (page: Page, name: string): Locator => paneOf(page).getByRole('region', { name, exact: true });

/** Settings and actions beside the charts: alert rules and their history, a purge and its result, costs. */
export async function healthActions({ launch, startService }: Stage): Promise<void> {
  const service = await startService({ scaling: { minWorkers: 0, maxWorkers: 0 } });
  const { page } = await launch();
  await connectTo(page, service);
  await fillQueue(page, 9);
  await showMock(page);
  const alerts = card(page, 'Alert rules');
  await alerts.getByRole('button', { name: 'Add rule' }).click();
  const rule = page.getByRole('dialog', { name: 'New alert rule' });
  await rule.getByLabel('Jobs waiting, more than').fill('2');
  await rule.getByLabel('For', { exact: true }).fill('soon');
  await rule.getByLabel('For', { exact: true }).press('Enter');
  await rule.getByRole('alert').waitFor();
  await shoot(page, 'alerts-rule-problem');
  await rule.getByLabel('For', { exact: true }).fill('2 s');
  await rule.getByLabel('For', { exact: true }).press('Enter');
  const row = alerts.getByRole('listitem').filter({ hasText: 'over 2 waiting' });
  await row.getByText(/^firing/).waitFor({ timeout: 30_000 });
  await alerts.getByRole('button', { name: 'History' }).click();
  await page
    .getByRole('dialog', { name: 'Alerts of mock' })
    .getByText(/notified/)
    .waitFor({ timeout: 80_000 });
  await shoot(page, 'alerts-history');
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Edit Stuck queue' }).focus();
  await page.keyboard.press('Enter');
  await shoot(page, 'alerts-rule');
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await shootThemes(page, 'alerts-rule-deleted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();

  const costs = card(page, 'Costs');
  await costs.scrollIntoViewIfNeeded();
  await costs.getByRole('button', { name: 'Set a rate' }).click();
  await costs.getByLabel('Credits per hour and worker').fill('-3');
  await costs.getByLabel('Warn above, per day').fill('much');
  await costs.scrollIntoViewIfNeeded();
  await shoot(page, 'costs-form');
  await costs.getByLabel('Credits per hour and worker').fill('36000');
  await costs.getByLabel('Warn above, per day').fill('0.01');
  await costs.getByRole('button', { name: 'Save' }).click();

  const purge = card(page, 'Purge queue');
  await purge.getByLabel('Type the endpoint name to unlock').fill('mo');
  await shoot(page, 'purge-typed');
  await purge.getByLabel('Type the endpoint name to unlock').fill('mock');
  service.setFault({ operation: 'purge-queue', kind: 'drop-after-accept', times: 1 });
  await purgeNow(purge);
  await purge.getByText(/^Outcome unknown/).waitFor({ timeout: 60_000 });
  await purge.scrollIntoViewIfNeeded();
  await shoot(page, 'purge-unknown');
  service.setFault(null);
  await purge.getByRole('button', { name: 'Dismiss' }).click();
  await fillQueue(page, 4);
  await purge.getByLabel('Type the endpoint name to unlock').fill('mock');
  await purge.getByText('4 tracked here').waitFor({ timeout: 30_000 });
  await purgeNow(purge);
  await purge.getByText(/jobs removed$/).waitFor({ timeout: 60_000 });
  await shoot(page, 'purge-done');

  service.setScaling('mock', { maxWorkers: 3 });
  await fillQueue(page, 2);
  await costs
    .getByText(/over the limit|Over/)
    .first()
    .waitFor({ timeout: 30_000 });
  await costs.scrollIntoViewIfNeeded();
  await shoot(page, 'costs-overrun');
}

/**
 * Before the saved samples are loaded, and when they cannot be read: main does not answer, or answers with an error.
 */
export async function healthBroken({ launch, service }: Stage): Promise<void> {
  for (const how of ['never', 'failed'] as const) {
    const { app, page } = await launch();
    if (how === 'never') await connectTo(page, service);
    await app.ask(
      'breakInvoke',
      'health:series',
      how === 'never'
        ? { kind: 'never' }
        : {
            kind: 'answer',
            result: {
              ok: false,
              failure: { kind: 'defect', message: 'Could not read the history: database disk image is malformed.' },
            },
          },
    );
    await page.reload();
    await openHealth(page);
    await (
      how === 'never'
        ? paneOf(page).getByRole('status', { name: 'Loading' })
        : page.getByText('Could not read saved health data')
    )
      .first()
      .waitFor();
    await shoot(page, `health-all-${how === 'never' ? 'loading' : 'failed'}`);
    await showMock(page);
    await shoot(page, `health-${how === 'never' ? 'loading' : 'failed'}`);
    await app.close();
  }
}

/** The key is no longer accepted. */
export async function healthRefused({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await showMock(page);
  await page.getByRole('group', { name: 'In queue' }).waitFor({ timeout: 20_000 });
  service.setFault({ kind: 'status', status: 401 });
  await page.getByText('The service refused this key (401)').first().waitFor({ timeout: 30_000 });
  await shoot(page, 'health-key-refused');
}

/** The sandbox was stopped. */
export async function healthStopped({ launch }: Stage): Promise<void> {
  const { page } = await launch();
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page.getByText('No jobs yet').waitFor();
  await showMock(page);
  await page.getByRole('group', { name: 'In queue' }).waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page
    .getByRole('region', { name: 'Sandbox', exact: true })
    .getByRole('button', { name: 'Stop the sandbox' })
    .click();
  await page.getByRole('region', { name: 'Sandbox', exact: true }).getByText('Stopped').waitFor();
  await showMock(page);
  await paneOf(page)
    .getByText(/^Sandbox stopped/)
    .waitFor({ timeout: 20_000 });
  await page.setViewportSize(sizes[0]);
  await shoot(page, 'health-sandbox-stopped');
}

async function showMock(page: Page): Promise<void> {
  // Health opens at the endpoint whose jobs are listed. The built-in sandbox has other names.
  await page.getByRole('navigation').getByRole('button', { name: /^mock/i }).click();
  await openHealth(page);
}

/** With two presses, because holding takes time. */
async function purgeNow(purge: Locator): Promise<void> {
  await purge.getByRole('button', { name: 'Purge with two presses instead' }).click();
  await purge.getByRole('button', { name: /^Confirm purge/ }).click();
}

async function fillQueue(page: Page, count: number): Promise<void> {
  await page.evaluate(async (jobs) => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
    for (let number = 1; number <= jobs; number += 1)
      await window.bridge?.call('job:submit', {
        connectionId,
        endpointId: 'mock',
        operation: 'run',
        inputText: JSON.stringify({ title: `Judge answer ${number} against rubric v4`, mock_delay: 2_000 }),
      });
  }, count);
}
