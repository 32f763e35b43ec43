import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { windowsIdentity } from '../../src-main/desktop/notifications/windows-identity.ts';
import { faults } from '../kit/axe.ts';
import type { ActivationArguments, NotificationPicture } from '../electron-stand-in/notification.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { openSandbox, sendAndOpen, sendJobs, toastOf } from '../kit/person.ts';
import { connectTo, expect, jobPane, test, type LaunchedApp } from './fixtures.ts';

type Launch = (options: { env: Record<string, string> }) => Promise<{ app: LaunchedApp; page: Page }>;

const otherSystem = 'another system needs the Electron stand-in';
const titles = async (app: LaunchedApp): Promise<string[]> => (await app.notifications()).map(({ title }) => title);
const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications(, \d+ not seen)?$/ });
const centre = (page: Page): Locator => page.getByRole('complementary', { name: 'Notifications' });

/** Submits echo jobs by the bridge. All are sent when the last one is ready, so that they end together. */
async function submitMany(page: Page, count: number): Promise<void> {
  await page.evaluate(async (jobs) => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
    await window.bridge?.call('tracker:pause', undefined);
    await Promise.all(
      Array.from({ length: jobs }, async (_, index) =>
        window.bridge?.call('job:submit', {
          connectionId,
          endpointId: 'echo',
          operation: 'runsync',
          inputText: JSON.stringify({ title: `one of many ${index}` }),
        }),
      ),
    );
    await window.bridge?.call('tracker:resume', undefined);
  }, count);
}

async function openNotificationSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('navigation').getByRole('button', { name: 'Notifications' }).click();
  return dialog;
}

async function closeSettings(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' }).click();
}

test('the centre lists each report, opens its job, and survives a restart; many ends at the same moment are one notification, which opens the centre', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await holdToasts(page);
  await app.leave();
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'board-call.wav', mock_error: 'CUDA out of memory' } }]);
  await expect.poll(() => titles(app)).toEqual(['board-call.wav failed']);
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'fog over ridges' } }]);
  await expect.poll(() => titles(app)).toEqual(['board-call.wav failed', 'fog over ridges completed']);

  await bell(page).click();
  const rows = centre(page).getByRole('region', { name: 'Earlier today' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('CUDA out of memory');
  expect(await faults(app, page)).toEqual([]);
  await rows.nth(0).getByRole('button', { name: 'Copy output' }).click();
  await expect.poll(() => app.clipboard()).toContain('fog over ridges');
  await rows.nth(1).getByRole('button', { name: 'Resubmit with edits' }).click();
  await expect(page.getByRole('dialog', { name: /^Resubmit|^New job/ })).toContainText('CUDA out of memory');
  await page.keyboard.press('Escape');
  await rows.nth(1).getByRole('button', { name: 'Mute this cause' }).click();
  await expect(page.getByText('Muted: CUDA out of memory')).toBeVisible();
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'muted.wav', mock_error: 'CUDA out of memory' } }]);
  await expect(centre(page).getByText('not shown on the desktop (its cause is muted)')).toBeVisible();
  await expect(rows).toHaveCount(3);
  expect(await titles(app)).toEqual(['board-call.wav failed', 'fog over ridges completed']);
  await rows.filter({ hasText: 'board-call.wav' }).getByRole('button', { name: 'board-call.wav failed' }).click();
  await expect(jobPane(page).getByRole('heading', { name: 'board-call.wav' })).toBeVisible();
  await centre(page).getByRole('radio', { name: 'Finished 1' }).check();
  await expect(rows).toHaveCount(1);
  await centre(page).getByRole('radio', { name: 'Failed 2' }).check();
  await expect(rows).toHaveCount(2);
  await centre(page).getByRole('button', { name: 'Unseen 1' }).click();
  await expect(rows).toHaveText([/muted\.wav failed/]);
  await centre(page).getByRole('radio', { name: 'Alerts' }).check();
  await centre(page).getByRole('button', { name: 'Show all' }).click();
  await expect(rows).toHaveCount(3);
  const mock = page.getByRole('navigation', { name: 'Views and endpoints' }).getByRole('button', { name: /^Mock/ });
  await expect(mock).toHaveAccessibleDescription(/1 unseen failure/);
  const before = 'Notifications, 2 not seen';
  await expect(bell(page)).toHaveAccessibleName(before);
  await centre(page).getByRole('button', { name: 'Mark all seen' }).click();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  const marked = toastOf(page, 'All notifications marked as seen');
  // The jobs too: the sidebar and the tray count them.
  await expect(mock).not.toHaveAccessibleDescription(/unseen/);
  await marked.getByRole('button', { name: 'Undo' }).click();
  await expect(bell(page)).toHaveAccessibleName(before);
  await expect(mock).toHaveAccessibleDescription(/unseen/);
  await centre(page).getByRole('button', { name: 'Mark all seen' }).click();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await page.keyboard.press('Escape');
  await expect(centre(page)).toBeHidden();
  await app.close();

  const again = await launch();
  await bell(again.page).click();
  await expect(centre(again.page).getByRole('region', { name: 'Earlier today' }).getByRole('listitem')).toHaveCount(3);
  // Nothing is reported again.
  expect(await titles(again.app)).toEqual([]);
  await again.page.keyboard.press('Escape');
  await expect(centre(again.page)).toBeHidden();
  await manyEndsAtOnce(again.app, again.page);
});

async function manyEndsAtOnce(app: LaunchedApp, page: Page): Promise<void> {
  await app.leave();
  await submitMany(page, 12);
  await expect
    .poll(async () => {
      const seen = await app.notifications();
      const sums = seen.map(({ title }) => Number(/^(\d+) jobs ended/.exec(title)?.[1] ?? 1));
      return sums.reduce((sum, count) => sum + count, 0);
    })
    .toBe(12);
  const shown = await titles(app);
  expect(shown.length).toBeLessThanOrEqual(6);
  const together = shown.findIndex((title) => title.includes('jobs ended'));
  expect(together).toBeGreaterThanOrEqual(0);
  await app.clickNotification(together);
  await expect(centre(page)).toBeVisible();
  await expect(
    centre(page)
      .getByText(/^\d+ completed$/)
      .first(),
  ).toBeVisible();
}

test('rules choose per endpoint and outcome what is shown, and do not disturb only lists', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await holdToasts(page);
  await app.leave();
  const settings = await openNotificationSettings(page);
  await settings.getByRole('button', { name: 'All endpoints, Completed: Notify' }).click();
  await page.getByRole('menuitem', { name: 'Over 1 min' }).click();
  await settings.getByRole('button', { name: 'Rule for an endpoint or tag' }).click();
  await page.getByRole('menuitem', { name: 'Mock' }).click();
  const cell = settings.getByRole('button', { name: /^Mock, Completed:/ });
  await expect(cell).toHaveCSS('font-weight', '400');
  await cell.click();
  await page.getByRole('menuitem', { name: 'With sound' }).click();
  await expect(cell).toHaveCSS('font-weight', '500');
  await settings.getByRole('button', { name: 'Change the rule for Mock' }).click();
  await page.getByRole('menuitem', { name: 'Delete rule' }).click();
  await expect(cell).toBeHidden();
  await settings.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(cell).toHaveCSS('font-weight', '500');
  expect(await faults(app, page)).toEqual([]);
  await closeSettings(page);

  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'quiet one' } }]);
  await expect(page.getByRole('option', { name: /^quiet one, Completed/ })).toBeVisible({ timeout: 20_000 });
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'loud one', mock_return: 'x' } }]);
  await expect.poll(() => titles(app)).toEqual(['loud one completed']);
  expect((await app.notifications())[0]?.isSilent).toBe(false);

  await bell(page).click();
  await centre(page).getByRole('button', { name: 'Do not disturb', exact: true }).click();
  const quiet = centre(page).getByRole('button', { name: 'Do not disturb', exact: true, pressed: true });
  await expect(quiet).toBeVisible();
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'undisturbed', mock_return: 'x' } }]);
  await expect(centre(page).getByText('not shown on the desktop (do not disturb)')).toBeVisible({ timeout: 20_000 });
  expect(await titles(app)).toEqual(['loud one completed']);

  // On a screen that others see no title is shown; the centre has it.
  await quiet.click();
  await expect(quiet).toHaveCount(0);
  const again = await openNotificationSettings(page);
  await again.getByRole('switch', { name: 'Show titles and errors in system notifications' }).setChecked(false);
  await closeSettings(page);
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'confidential', mock_return: 'x' } }]);
  await expect.poll(() => titles(app)).toEqual(['loud one completed', 'A job completed on Mock']);
  await expect(centre(page).getByText('confidential completed')).toBeVisible();
});

for (const platform of ['darwin', 'win32'] as const)
  test(`from a notification a failed job is retried and an output copied; one of a former run opens its job (${platform})`, async ({
    launch,
    dataDir,
  }) => {
    const system = { ELECTRON_STAND_IN_PLATFORM: platform };
    const { app, page } = await launch({ env: system });
    test.skip(app.kind !== 'stand-in', otherSystem);
    await openSandbox(page);
    await app.leave();
    await sendAndOpen(page, { endpoint: 'mock', input: { title: 'fails', mock_error: 'no such model' } });
    await expect.poll(async () => (await app.notifications())[0]?.actions).toEqual(['Retry', 'Resubmit with edits']);
    await app.ask('pressNotificationAction', 0, 0);
    await expect.poll(() => titles(app), { timeout: 20_000 }).toEqual(['fails failed', 'fails failed']);
    await expect(jobPane(page).getByText('Attempt 2').first()).toBeVisible();
    await sendJobs(page, [{ endpoint: 'echo', input: { title: 'copied' } }]);
    await expect.poll(async () => (await app.notifications())[2]?.actions).toEqual(['Copy output']);
    await app.ask('pressNotificationAction', 2, 0);
    await expect.poll(() => app.clipboard()).toContain('copied');
    await app.ask('pressNotificationAction', 1, 1);
    const composer = page.getByRole('dialog', { name: 'Resubmit fails' });
    await expect(composer).toContainText('no such model');
    await page.keyboard.press('Escape');
    await expect(composer).toBeHidden();
    expect(await titles(app)).toEqual(['fails failed', 'fails failed', 'copied completed']);
    const [, failed, copied] = await app.notifications();
    await app.close();
    if (platform === 'darwin') {
      await fromNotificationCenter(launch, { failed, copied });
      return;
    }
    const again = await launch({ env: system });
    await expect(jobPane(again.page).getByRole('heading', { name: 'fails' })).toBeVisible();
    await fromActionCenter(again.app, copied?.activations.actions[0]);
    await expect.poll(() => again.app.clipboard()).toContain('copied');
    await fromActionCenter(again.app, copied?.activations.click);
    await expect(jobPane(again.page).getByRole('heading', { name: 'copied' })).toBeVisible();
    // This is a start from the sources, which takes nothing of what belongs to the installed Jobdeck.
    expect(await again.app.ask('identity')).toEqual(windowsIdentity(false));
    // What names none of ours brings the window forward and does nothing else.
    await again.app.ask('activateToast', { type: 'click', arguments: 'type=click&tag=../../evil' });
    await expect(jobPane(again.page).getByRole('heading', { name: 'copied' })).toBeVisible();
    await expect
      .poll(() => readFile(join(dataDir, 'jobdeck.log'), 'utf8').catch(() => ''))
      .toContain('named no notification');
    await expect(jobPane(again.page).getByRole('heading', { name: 'copied' })).toBeVisible();
  });

test('a button of an old notification does what it says, whatever happened to the job since', async ({
  launch,
  startService,
  dataDir,
}) => {
  const isMended = join(dataDir, 'mended');
  const handlerPath = join(dataDir, 'handler.mjs');
  await writeFile(
    handlerPath,
    `import { existsSync } from 'node:fs';
export function handler() {
  if (!existsSync(${JSON.stringify(isMended)})) throw new Error('no such model');
  return 'a result';
}`,
  );
  const handler = { moduleUrl: pathToFileURL(handlerPath).href };
  const endpoint = { id: 'model', handler, minWorkers: 1, maxWorkers: 1, coldStartMs: 50, idleTimeoutMs: 10_000 };
  const service = await startService({ endpoints: [endpoint] });
  const system = { ELECTRON_STAND_IN_PLATFORM: 'win32' };
  const { app, page } = await launch({ env: system });
  test.skip(app.kind !== 'stand-in', otherSystem);
  await connectTo(page, service);
  await app.leave();
  await sendAndOpen(page, { endpoint: 'model', input: { title: 'mended' } });
  await expect.poll(async () => (await app.notifications())[0]?.actions).toEqual(['Retry', 'Resubmit with edits']);
  await writeFile(isMended, '');
  await app.ask('pressNotificationAction', 0, 0);
  await expect.poll(async () => (await app.notifications())[1]?.actions, { timeout: 20_000 }).toEqual(['Copy output']);
  const [failed] = await app.notifications();
  await app.close();

  const again = await launch({ env: system });
  await expect(jobPane(again.page).getByRole('heading', { name: 'mended' })).toBeVisible();
  await again.app.ask('setClipboard', 'of the user');
  await fromActionCenter(again.app, failed?.activations.actions[0]);
  await expect.poll(() => titles(again.app)).toEqual(['Could not retry: mended failed']);
  expect(await again.app.clipboard()).toBe('of the user');
  await fromActionCenter(again.app, failed?.activations.actions[1]);
  await expect(again.page.getByRole('dialog', { name: 'Resubmit mended' })).toBeVisible();
});

/** Windows: a notification of an earlier run, or its button, is clicked. Windows passes on what its XML says. */
async function fromActionCenter(app: LaunchedApp, details: ActivationArguments | undefined): Promise<void> {
  if (details === undefined) throw new Error('The notification was not shown.');
  await app.ask('activateToast', details);
}

/**
 * macOS: notifications of an earlier run, one of which starts Jobdeck. After a button Electron names the button, and
 * after a click an action of the system.
 */
async function fromNotificationCenter(
  launch: Launch,
  { failed, copied }: { failed: NotificationPicture | undefined; copied: NotificationPicture | undefined },
): Promise<void> {
  const start = (actionIdentifier: string): ReturnType<Launch> => {
    const info = { actionIdentifier, date: 1, identifier: copied?.id, userInfo: {} };
    const actions = failed?.actions.map((text) => ({ type: 'button', text }));
    const env = {
      ELECTRON_STAND_IN_PLATFORM: 'darwin',
      ELECTRON_STAND_IN_LAUNCH_INFO: JSON.stringify(info),
      ELECTRON_STAND_IN_DELIVERED: JSON.stringify([{ id: failed?.id, title: failed?.title, actions }]),
    };
    return launch({ env });
  };
  const pressed = await start('ACTION_0');
  await expect.poll(() => pressed.app.clipboard()).toContain('copied');
  await expect(jobPane(pressed.page).getByRole('heading', { name: 'fails' })).toBeVisible();
  await expect.poll(() => titles(pressed.app)).toEqual(['fails failed']);
  await pressed.app.ask('pressNotificationAction', 0, 0);
  await expect(jobPane(pressed.page).getByText('Attempt 3').first()).toBeVisible({ timeout: 20_000 });
  await pressed.app.close();

  const { app, page } = await start('com.apple.UNNotificationDefaultActionIdentifier');
  await expect(jobPane(page).getByRole('heading', { name: 'copied' })).toBeVisible();
  await expect.poll(() => titles(app)).toContain('fails failed');
  await app.clickNotification((await titles(app)).indexOf('fails failed'));
  await expect(jobPane(page).getByRole('heading', { name: 'fails' })).toBeVisible();
}
