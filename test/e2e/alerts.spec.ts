import type { Locator, Page } from '@playwright/test';
import { holdToasts } from '../kit/held-timers.ts';
import { sendJobs } from '../kit/person.ts';
import { connectTo, expect, shareApp, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

/** Nothing works off a queue until a test lets it. */
const noWorkers = { minWorkers: 0, maxWorkers: 0 };
const alertsCard = (page: Page): Locator => page.getByRole('region', { name: 'Alert rules' });
const firingRules = (page: Page): Locator => alertsCard(page).getByRole('listitem').filter({ hasText: 'firing' });
const ruleRow = (page: Page, name: string): Locator => alertsCard(page).getByRole('listitem').filter({ hasText: name });
const healthLine = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Views and endpoints' }).getByRole('button', { name: /^Health/ });
const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications(, \d+ not seen)?$/ });
const centre = (page: Page): Locator => page.getByRole('complementary', { name: 'Notifications' });
const ongoing = (page: Page): Locator => centre(page).getByRole('region', { name: 'Still going on' });
const titles = async (app: LaunchedApp): Promise<string[]> => (await app.notifications()).map(({ title }) => title);

/** The health of an endpoint. */
async function showHealth(page: Page, endpointId: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Views and endpoints' })
    .getByRole('button', { name: endpointId, exact: true })
    .click();
  await healthLine(page).click();
  await expect(alertsCard(page).getByRole('switch')).toHaveCount(4);
}

function fillQueue(page: Page, endpoint: string, count: number): Promise<void> {
  const titlesOfJobs = Array.from({ length: count }, (_, index) => `waits ${index}`);
  return sendJobs(
    page,
    titlesOfJobs.map((title) => ({ endpoint, input: { title, mock_delay: 10 } })),
  );
}

async function addRule(
  page: Page,
  rule: { kind?: string; count?: string; span: string; label: string },
): Promise<void> {
  await alertsCard(page).getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert rule' });
  if (rule.kind !== undefined) {
    await dialog.getByRole('combobox', { name: /^Kind/ }).click();
    await page.getByRole('option', { name: rule.kind }).click();
  }
  if (rule.count !== undefined) await dialog.getByLabel(/more than$/).fill(rule.count);
  await dialog.getByLabel(rule.label, { exact: true }).fill(rule.span);
  await dialog.getByLabel(rule.label, { exact: true }).press('Enter');
  await expect(dialog).toBeHidden();
}

async function openPreferences(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('navigation').getByRole('button', { name: 'Notifications' }).click();
  return dialog;
}

async function closePreferences(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' }).click();
}

test('a rule fires while jobs wait without workers, notifies, is shown everywhere and saved, and ends when the queue is worked off', async ({
  launch,
  startService,
}) => {
  const service = await startService({ dialect: 'spec', scaling: noWorkers });
  const { app, page } = await launch();
  await connectTo(page, service);
  await showHealth(page, 'mock');
  await expect(ruleRow(page, 'Stuck queue')).toContainText('over 5 waiting, none idle, 2 min');
  await expect(ruleRow(page, 'Stuck queue')).toContainText('quiet');
  await expect(ruleRow(page, 'Scaled to zero')).toContainText('off');
  await alertsCard(page).getByRole('button', { name: 'History' }).click();
  await expect(page.getByRole('dialog', { name: 'Alerts of mock' })).toContainText('No alerts yet');
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();

  await addRule(page, { count: '2', span: '2 s', label: 'For' });
  const row = ruleRow(page, 'over 2 waiting, none idle, 2 s');
  await expect(row).toContainText('quiet');
  await fillQueue(page, 'mock', 5);
  await expect(row).toContainText(/firing \d:\d\d/, { timeout: 30_000 });
  await expect(page.getByText('No issues found')).toHaveCount(0);
  await expect(healthLine(page)).toHaveAccessibleDescription('1 alert');
  await expect.poll(() => titles(app)).toEqual(['Stuck queue on mock']);
  expect((await app.notifications())[0]?.body).toMatch(/^[345] jobs waiting, no idle worker, for 2 s or longer\.$/);

  // A click on the notification leads back here.
  await page.getByRole('button', { name: 'All jobs', exact: true }).click();
  await expect(alertsCard(page)).toHaveCount(0);
  await app.clickNotification(0);
  await expect(row).toContainText('firing');

  // While it fires, the centre lists it once, at the top.
  await bell(page).click();
  const reports = centre(page).getByRole('listitem').filter({ hasText: 'Stuck queue on mock' });
  await expect(ongoing(page).getByText('Stuck queue on mock')).toBeVisible();
  await expect(reports).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(centre(page)).toBeHidden();

  await alertsCard(page).getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'Alerts of mock' });
  const kept = history.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
  await expect(kept).toHaveCount(1);
  await expect(kept).toContainText(/jobs waiting, no idle worker/);
  await expect(kept).toContainText(/notified \d\d:\d\d:\d\d/);
  await expect(kept).toContainText('still firing');
  // The dialog is as high as what it shows.
  await expect
    .poll(async () => {
      const alert = await kept.boundingBox();
      const close = await history.getByRole('button', { name: 'Close', exact: true }).boundingBox();
      return (close?.y ?? Infinity) - (alert?.y ?? 0) - (alert?.height ?? 0);
    })
    .toBeLessThan(60);

  // Worked off: the open list is updated too.
  service.setScaling('mock', { maxWorkers: 3 });
  await expect(kept).toContainText(/\d\d:\d\d:\d\d to \d\d:\d\d:\d\d/, { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();
  await expect(row).toContainText(/^.*\d\d:\d\d$/);
  await expect(healthLine(page)).toHaveAccessibleDescription('');
  await bell(page).click();
  await expect(reports).toHaveCount(1);
  await expect(ongoing(page)).toHaveCount(0);
  await app.close();

  // Rules and what fired are there again.
  const again = await launch();
  await again.page
    .getByRole('navigation', { name: 'Views and endpoints' })
    .getByRole('button', { name: 'mock', exact: true })
    .click();
  await healthLine(again.page).click();
  await expect(ruleRow(again.page, 'over 2 waiting, none idle, 2 s')).toContainText(/\d\d:\d\d$/);
});

// In an app of its own: alerts of several endpoints are reported at most once a minute.
test('failures in a row fire a burst', async ({ launch, startService }) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await showHealth(page, 'mock');
  await sendJobs(
    page,
    Array.from({ length: 5 }, () => ({ endpoint: 'mock', input: { mock_error: 'no such style' } })),
  );
  await expect(ruleRow(page, 'Failure burst')).toContainText(/firing/, { timeout: 30_000 });
  await expect.poll(() => titles(app)).toContain('Failure burst on mock');
});

test.describe('in one app, each at its own endpoint', () => {
  const mock = { handler: { builtIn: 'mock' }, minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };
  const shared = shareApp(async ({ page }, startService) => {
    const service = await startService({
      dialect: 'observed',
      endpoints: [
        { ...mock, ...noWorkers, id: 'hours' },
        { ...mock, ...noWorkers, id: 'digest' },
        { ...mock, id: 'keys' },
        { ...mock, id: 'elsewhere' },
      ],
    });
    await connectTo(page, service);
  });
  /** With the titles of what the desktop was shown from now on. */
  const openAt = async (endpointId: string) => {
    const { app, page } = shared();
    await showHealth(page, endpointId);
    const before = (await titles(app)).length;
    return { page, titlesSince: async () => (await titles(app)).slice(before) };
  };

  test('quiet hours hold alerts back, and one notification reports them afterwards', async () => {
    const { page, titlesSince } = await openAt('hours');
    const clock = (offsetMs: number): string => new Date(Date.now() + offsetMs).toTimeString().slice(0, 5);
    const preferences = await openPreferences(page);
    await preferences.getByRole('switch', { name: 'Quiet hours' }).setChecked(true);
    await preferences.getByLabel('Quiet from').fill(clock(-3_600_000));
    await preferences.getByLabel('Quiet until').fill(clock(7_200_000));
    await preferences.getByLabel('Quiet until').press('Enter');
    await closePreferences(page);
    await expect(alertsCard(page)).toContainText(/quiet \d\d:\d\d to \d\d:\d\d/);

    await addRule(page, { count: '2', span: '1 s', label: 'For' });
    await addRule(page, { kind: 'Scaled to zero', span: '1 s', label: 'No worker while jobs wait for' });
    await fillQueue(page, 'hours', 5);
    await expect(firingRules(page)).toHaveCount(2, { timeout: 30_000 });
    await alertsCard(page).getByRole('button', { name: 'History' }).click();
    const kept = page.getByRole('dialog', { name: 'Alerts of hours' }).getByRole('listitem');
    await expect(kept).toHaveCount(2);
    await expect(kept.filter({ hasText: 'held during quiet hours' })).toHaveCount(2);
    await page.keyboard.press('Escape');
    expect(await titlesSince()).toEqual([]);

    await (await openPreferences(page)).getByRole('switch', { name: 'Quiet hours' }).setChecked(false);
    await expect.poll(() => titlesSince()).toEqual(['2 alerts in quiet hours, 2 still firing']);
    await closePreferences(page);
    await alertsCard(page).getByRole('button', { name: 'History' }).click();
    await expect(kept.filter({ hasText: /held by quiet hours, sent \d\d:\d\d/ })).toHaveCount(2);
    await page.keyboard.press('Escape');
  });

  test('a digest collects alerts, a mute holds them back, notifications can be off; the alert history says which', async () => {
    const { page, titlesSince } = await openAt('digest');
    const history = async (): Promise<Locator> => {
      await alertsCard(page).getByRole('button', { name: 'History' }).click();
      return page.getByRole('dialog', { name: 'Alerts of digest' }).getByRole('listitem');
    };
    await (await openPreferences(page)).getByRole('checkbox', { name: 'Include alerts' }).setChecked(true);
    await closePreferences(page);
    await expect(alertsCard(page)).toContainText('Digest every 60 min');
    await addRule(page, { count: '2', span: '1 s', label: 'For' });
    await fillQueue(page, 'digest', 5);
    await expect(firingRules(page)).toHaveCount(1, { timeout: 30_000 });
    await expect((await history()).filter({ hasText: 'waits for the digest' })).toHaveCount(1);
    await page.keyboard.press('Escape');
    expect(await titlesSince()).toEqual([]);

    await page.evaluate(async () => {
      const listed = await window.bridge?.call('connection:list', undefined);
      await window.bridge?.call('health:mute', {
        connectionId: listed?.ok === true ? (listed.value[0]?.id ?? '') : '',
        endpointId: 'digest',
        untilMs: Date.now() + 3_600_000,
      });
    });
    await addRule(page, { kind: 'Scaled to zero', span: '1 s', label: 'No worker while jobs wait for' });
    await expect((await history()).filter({ hasText: 'not sent (muted)' })).toHaveCount(2);
    await page.keyboard.press('Escape');
    await (await openPreferences(page)).getByRole('button', { name: 'All endpoints, Alerts: Notify' }).click();
    await page.getByRole('menuitem', { name: 'Off', exact: true }).click();
    await closePreferences(page);
    await addRule(page, { kind: 'Long wait', span: '1 s', label: 'A job waits longer than' });
    await expect((await history()).filter({ hasText: 'not sent (notifications off)' })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(alertsCard(page)).toContainText('Notifications are off');
    expect(await titlesSince()).toEqual([]);

    // As it was. Gathered alerts are not sent late: notifications are still off.
    const preferences = await openPreferences(page);
    await preferences.getByRole('checkbox', { name: 'Include alerts' }).setChecked(false);
    await preferences.getByRole('button', { name: 'All endpoints, Alerts: Off' }).click();
    await page.getByRole('menuitem', { name: 'Notify', exact: true }).click();
    await closePreferences(page);
    expect(await titlesSince()).toEqual([]);
  });

  test('a rule is created, changed, switched and deleted by keyboard; an invalid value is shown at its field, and nothing typed is lost', async () => {
    const { page } = await openAt('keys');
    await holdToasts(page);
    await alertsCard(page).getByRole('button', { name: 'Add rule' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New alert rule' });
    await expect(dialog.getByLabel('Jobs waiting, more than')).toBeFocused();
    for (const [label, typed, problem] of [
      ['Jobs waiting, more than', '-3', 'A whole number from 0 to 100,000'],
      ['Jobs waiting, more than', '2.5', 'A whole number from 0 to 100,000'],
      ['Jobs waiting, more than', '', 'A whole number from 0 to 100,000'],
      ['For', 'soon', 'A duration, such as 90 s or 2 min'],
      ['For', '2 d', 'From 1 s to 1 d'],
    ] as const) {
      const field = dialog.getByLabel(label, { exact: true });
      const before = await field.inputValue();
      await field.fill(typed);
      await field.press('Enter');
      await expect(dialog.getByRole('alert').filter({ hasText: problem })).toBeVisible();
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveValue(typed);
      await field.fill(before);
      await expect(dialog.getByRole('alert')).toHaveCount(0);
    }
    // Another kind keeps what was typed in this one.
    await dialog.getByLabel('Jobs waiting, more than').fill('41');
    const choose = async (kind: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: /^Kind/ }).click();
      await page.getByRole('option', { name: kind }).click();
    };
    for (const [kind, label, typed, problem] of [
      ['Slow runs', 'Execution over', '1', 'A number from 1.1 to 100'],
      ['Failure burst', 'Within', '0', 'From 1 s to 1 d'],
      ['Scaled to zero', 'No worker while jobs wait for', '1 fortnight', 'A duration, such as'],
      ['Long wait', 'A job waits longer than', '8 d', 'From 1 s to 7 d'],
    ] as const) {
      await choose(kind);
      await dialog.getByLabel(label, { exact: true }).fill(typed);
      await dialog.getByRole('button', { name: 'Add rule' }).click();
      await expect(dialog.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    }
    await choose('Stuck queue');
    await expect(dialog.getByLabel('Jobs waiting, more than')).toHaveValue('41');
    await dialog.getByRole('checkbox', { name: 'Only while no worker is idle' }).click();
    await dialog.getByLabel('For', { exact: true }).press('Enter');
    await expect(dialog).toBeHidden();
    await expect(ruleRow(page, 'over 41 waiting, 2 min')).toBeVisible();

    // Changed, switched off, and deleted.
    const row = ruleRow(page, 'over 41 waiting, 2 min');
    await row.getByRole('button', { name: 'Edit Stuck queue' }).focus();
    await page.keyboard.press('Enter');
    const edit = page.getByRole('dialog', { name: 'Edit Stuck queue' });
    await expect(edit).toContainText('keys');
    await edit.getByLabel('Jobs waiting, more than').fill('42');
    await page.keyboard.press('Enter');
    await expect(ruleRow(page, 'over 42 waiting, 2 min')).toBeVisible();
    const changed = ruleRow(page, 'over 42 waiting, 2 min');
    await changed.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await expect(changed).toContainText('off');
    await changed.getByRole('button', { name: 'Edit Stuck queue' }).click();
    await edit.getByRole('button', { name: 'Delete rule' }).click();
    await expect(changed).toHaveCount(0);
    // After undo it is as before: turned off, in its place.
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(changed).toContainText('off');
    await expect(alertsCard(page).getByRole('listitem').last()).toContainText('over 42 waiting, 2 min');
    await changed.getByRole('button', { name: 'Edit Stuck queue' }).click();
    await edit.getByRole('button', { name: 'Delete rule' }).click();
    await expect(changed).toHaveCount(0);

    // Turned off at this endpoint only, a rule for all still applies elsewhere.
    await ruleRow(page, 'Stuck queue').getByRole('switch').click();
    await expect(ruleRow(page, 'Stuck queue')).toContainText('off');
    await page
      .getByRole('navigation', { name: 'Views and endpoints' })
      .getByRole('button', { name: 'elsewhere', exact: true })
      .click();
    await healthLine(page).click();
    await expect(ruleRow(page, 'Stuck queue')).toContainText('quiet');
  });

  test('invalid times of day and minutes are shown at their fields and stay', async () => {
    const { page } = await openAt('elsewhere');
    const preferences = await openPreferences(page);
    await preferences.getByRole('switch', { name: 'Quiet hours' }).setChecked(true);
    await preferences.getByRole('checkbox', { name: 'Include alerts' }).setChecked(true);
    for (const [label, typed, problem, good, inEffect] of [
      ['Quiet from', '25:00', 'Enter a time such as 22:00', '21:30', 'quiet 21:30 to'],
      ['Quiet until', '21:30', 'Start and end must differ', '7', 'quiet 21:30 to 07:00'],
      ['Minutes per digest', '0', 'From 1 to 1,440', '15', 'Digest every 15 min'],
    ] as const) {
      const field = preferences.getByLabel(label, { exact: true });
      await field.fill(typed);
      await field.press('Enter');
      await expect(preferences.getByRole('alert').filter({ hasText: problem })).toBeVisible();
      await expect(field).toHaveValue(typed);
      await field.fill(good);
      await field.press('Enter');
      await expect(preferences.getByRole('alert')).toHaveCount(0);
      // The next field is checked against what is in effect.
      await expect(page.getByText(inEffect)).toBeAttached();
    }
    await expect(preferences.getByLabel('Quiet until')).toHaveValue('07:00');
    await closePreferences(page);
    await expect(alertsCard(page)).toContainText('Digest every 15 min, quiet 21:30 to 07:00');

    // As it was.
    const again = await openPreferences(page);
    await again.getByLabel('Minutes per digest', { exact: true }).fill('60');
    await again.getByLabel('Minutes per digest', { exact: true }).press('Enter');
    await again.getByRole('switch', { name: 'Quiet hours' }).setChecked(false);
    await again.getByRole('checkbox', { name: 'Include alerts' }).setChecked(false);
    await closePreferences(page);
  });
});
