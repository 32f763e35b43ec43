import type { Page } from '@playwright/test';
import { openSandbox, submitJob } from '../../kit/person.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { drawNotifications } from './notification-picture.ts';
import { shoot, shootThemes } from './stage.ts';
import type { Stage } from './stage.ts';

/** The notification centre with its ongoing and past entries, and the rules. */
export async function notifications({ launch, service }: Stage): Promise<void> {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await page.getByText('Nothing to report yet').waitFor();
  await shoot(page, 'notifications-empty');
  await page.keyboard.press('Escape');
  await failElsewhere(page, { baseUrl: service.baseUrl, key: TEST_API_KEY });
  // In front of the user nothing is shown by the desktop.
  await app.leave();
  await submitJob(page, { endpoint: 'mock', input: { title: 'board-call.wav', mock_error: 'CUDA out of memory' } });
  await submitJob(page, { endpoint: 'echo', input: { title: 'Layered mountain ridges' } });
  await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
    const send = async (title: string, more: object) =>
      window.bridge?.call('job:submit', {
        connectionId,
        endpointId: 'mock',
        operation: 'run',
        inputText: JSON.stringify({ title, mock_return: 'x', ...more }),
      });
    await Promise.all(
      Array.from({ length: 14 }, (_, at) => send(`Judge answers ${at}`, at % 6 === 1 ? { mock_error: 'bad' } : {})),
    );
  });
  while (!(await app.notifications()).some(({ title }) => title.includes('jobs ended'))) await page.waitForTimeout(200);
  await drawNotifications(await app.notifications(), 'notification');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page
    .getByText(/^Show all/)
    .first()
    .waitFor();
  await shoot(page, 'notifications');
  await page.getByRole('button', { name: 'Notification settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Rule for an endpoint or tag' }).click();
  await page.getByRole('menuitem', { name: 'Mock' }).click();
  await settings.getByRole('button', { name: /^Mock, Completed:/ }).click();
  await page.getByRole('menuitem', { name: 'With sound' }).click();
  await shoot(page, 'notification-settings');
  await page.keyboard.press('Escape');
  await submitJob(page, { endpoint: 'mock', input: { title: 'Post-incident review of 4182', mock_delay: 600_000 } });
  await app.clickTray();
  const tray = await app.waitForWindow('/tray');
  await tray.setViewportSize({ width: 368, height: 552 });
  await tray.getByRole('region', { name: 'Active' }).waitFor();
  await shootThemes(tray, 'tray-popover');
}

/** A second connection with jobs that failed, so that the centre and the popover have several. */
async function failElsewhere(page: Page, { baseUrl, key }: { baseUrl: string; key: string }): Promise<void> {
  await page.evaluate(
    async ([address, apiKey]) => {
      const saved = await window.bridge?.call('connection:save', {
        draft: {
          name: 'Production',
          baseUrl: address,
          restUrl: '',
          authorization: 'bearer',
          endpoints: [{ id: 'mock', label: 'Judge', flavour: 'other' }],
        },
        key: apiKey,
      });
      if (saved?.ok !== true) throw new Error('The connection was not saved.');
      for (const title of ['Nightly summary', 'Nightly captions'])
        await window.bridge?.call('job:submit', {
          connectionId: saved.value.connection.id,
          endpointId: 'mock',
          operation: 'run',
          inputText: JSON.stringify({ title, mock_error: 'seed must be an integer' }),
        });
    },
    [baseUrl, key] as const,
  );
}
