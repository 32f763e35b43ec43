import { openSandbox, submitJob } from '../kit/person.ts';
import { expect, jobPane, test } from './fixtures.ts';

test('every window is sandboxed, isolated from Node, and has nothing switched on besides', async ({ launch }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'stand-in', 'what a window was asked to be is recorded by the Electron stand-in');
  await openSandbox(page);
  await submitJob(page, { endpoint: 'echo', input: { title: 'in a window of its own' } });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  const key = (await page.getByRole('option').first().getAttribute('data-key')) ?? '';
  await page.evaluate(async (jobKey) => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
    await window.bridge?.call('window:openSandbox', undefined);
    await window.bridge?.call('window:openJob', { key: jobKey });
    await window.bridge?.call('window:openHealth', { connectionId, endpointId: 'echo' });
    await window.bridge?.call('window:openResource', { kind: 'pod', connectionId, id: 'any' });
  }, key);
  for (const route of ['/sandbox', /^\/job\//, /^\/health\//, /^\/pod\//]) await app.waitForWindow(route);
  await app.clickTray();
  await app.waitForWindow('/tray');
  const asked = await app.ask('webPreferences');
  expect(asked).toHaveLength(6);
  for (const preferences of asked)
    expect(preferences).toEqual({
      preload: expect.stringMatching(/preload\.cjs$/),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    });
});

test('a page is granted no permission, and a webview is nothing to it', async ({ launch }) => {
  const { page } = await launch();
  await openSandbox(page);
  const seen = await page.evaluate(async () => {
    const states: Record<string, string> = {};
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'midi'] as const)
      states[name] = (await navigator.permissions.query({ name })).state;
    const located = await new Promise<string>((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('located'),
        () => resolve('refused'),
      ),
    );
    const webview = document.createElement('webview');
    return { states, located, isWebview: 'src' in webview, scheme: location.protocol };
  });
  expect(new Set(Object.values(seen.states))).toEqual(new Set(['denied']));
  expect(seen).toMatchObject({ located: 'refused', isWebview: false });
  expect(['app:', 'https:']).toContain(seen.scheme);
});
