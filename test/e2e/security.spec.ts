import { openSandbox } from '../kit/person.ts';
import { expect, test } from './fixtures.ts';

test('every window is sandboxed, isolated from Node, and has nothing switched on besides', async ({ launch }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'stand-in', 'what a window was asked to be is recorded by the Electron stand-in');
  await openSandbox(page);
  await page.evaluate(() => window.bridge?.call('window:openSandbox', undefined));
  await app.waitForWindow('/sandbox');
  const asked = await app.ask('webPreferences');
  expect(asked).toHaveLength(2);
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
