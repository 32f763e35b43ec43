import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSandbox } from '../kit/person.ts';
import { connectTo, expect, policyViolations, shareApp, test } from './fixtures.ts';

test.describe('in one window', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('a page sees the bridge’s two functions and nothing of Node or Electron', async () => {
    const { page } = shared();
    const seen = await page.evaluate(() => ({
      bridge: Object.keys(window.bridge ?? {}).toSorted(),
      others: ['require', 'process', 'module', 'global', 'ipcRenderer', 'Buffer', 'electron'].filter(
        (name) => name in window,
      ),
    }));
    expect(seen).toEqual({ bridge: ['call', 'on'], others: [] });
  });

  test('a window opens no other, and passes only https addresses to the browser', async () => {
    const { app, page } = shared();
    expect(await page.evaluate(() => window.open('https://example.test/') === null)).toBe(true);
    expect(app.windows()).toHaveLength(1);
    const asked = await page.evaluate(async () => {
      const answers = [];
      for (const url of [
        'http://example.test/',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'https://example.test/docs',
      ])
        answers.push((await window.bridge?.call('app:openExternal', { url }))?.ok);
      return answers;
    });
    expect(asked).toEqual([false, false, false, true]);
    expect(await app.openedExternally()).toEqual(['https://example.test/docs']);
  });

  test('a call with a bad name or input returns a failure and never throws', async () => {
    const { page } = shared();
    const answers = await page.evaluate(async () => {
      const call: (name: string, input: unknown) => Promise<unknown> = Reflect.get(window.bridge ?? {}, 'call');
      return [
        await call('toString', undefined),
        await call('job:get', { key: 7 }),
        await call('job:get', { key: 'no-such-job' }),
      ];
    });
    expect(answers).toMatchObject([
      { ok: false, failure: { kind: 'defect' } },
      { ok: false, failure: { kind: 'refused', field: 'key' } },
      { ok: false, failure: { kind: 'absent' } },
    ]);
  });

  test('a window cannot navigate away from the app', async () => {
    const { page, dataDir } = shared();
    const origin = await page.evaluate(() => window.location.origin);
    await page.evaluate(() => void setTimeout(() => window.location.assign('https://example.test/')));
    await expect
      .poll(() => readFile(join(dataDir, 'jobdeck.log'), 'utf8').catch(() => 'no log yet'))
      .toContain('a window was kept from leaving the app');
    await expect.poll(() => page.evaluate(() => window.location.origin).catch(() => 'between pages')).toBe(origin);
    await expect(page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  });
});

test.describe('a page that breaks the policy', () => {
  test.use({ breaksPolicy: true });

  test('nothing inline or remote runs or loads in a window', async ({ launch }) => {
    const { app, page } = await launch();
    await openSandbox(page);
    const outcome = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const script = document.createElement('script');
      let isScriptRefused = false;
      try {
        script.textContent = 'window.wasRun = true';
        document.head.append(script);
      } catch {
        isScriptRefused = true;
      }
      const image = new Image();
      const imageFailed = new Promise((resolve) => image.addEventListener('error', () => resolve(true)));
      image.src = 'https://example.test/pixel.png';
      const fetched = await fetch('https://example.test/').then(
        () => 'answered',
        () => 'refused',
      );
      await imageFailed;
      return { wasRun: 'wasRun' in window, isScriptRefused, fetched, violations: [...new Set(violations)].toSorted() };
    });
    expect(outcome).toMatchObject({ wasRun: false, fetched: 'refused' });
    expect(outcome.violations).toEqual(expect.arrayContaining(['connect-src', 'img-src']));
    // Chromium says so on the console, which is where every other test looks for it.
    await expect.poll(() => policyViolations(app.logs()).length).toBeGreaterThanOrEqual(2);
  });
});

test('a typed key is in no answer, event, page or file in plain text', async ({ launch, startService, dataDir }) => {
  const key = 'rpa_VerySecretMarmalade0123456789';
  const service = await startService({ apiKey: key });
  const { app, page } = await launch();
  await connectTo(page, service, { key });
  const answers = await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const info = await window.bridge?.call('app:info', undefined);
    return JSON.stringify([listed, info]);
  });
  expect(answers).toContain('"hasKey":true');
  expect(answers).not.toContain(key);
  expect(await page.content()).not.toContain(key);
  await app.close();
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes(key), `${entry.name} holds the key`).toBe(false);
  }
});
