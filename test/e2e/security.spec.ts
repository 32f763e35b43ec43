import { openSandbox, sendJobs } from '../kit/person.ts';
import { expect, shareApp, test } from './fixtures.ts';

const shared = shareApp(({ page }) => openSandbox(page));

test('every window is sandboxed, isolated from Node, and has no extra features enabled', async () => {
  const { app, page } = shared();
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'in a window of its own' } }]);
  const row = page.getByRole('option', { name: /^in a window of its own, Completed/ });
  const key = (await row.getAttribute('data-key')) ?? '';
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
  const walls = { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true };
  // The stand-in says what was asked for, Electron what it made of it.
  const expected =
    app.kind === 'stand-in'
      ? { ...walls, preload: expect.stringMatching(/preload\.cjs$/), spellcheck: false }
      : expect.objectContaining({ ...walls, nodeIntegrationInSubFrames: false, webviewTag: false });
  for (const preferences of asked) expect(preferences).toEqual(expected);
});

test('a page gets no permission, and a webview does nothing', async () => {
  const { page } = shared();
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
