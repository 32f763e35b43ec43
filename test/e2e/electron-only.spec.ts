import { checkThroughBridge } from '../run/verify/packaged.ts';
import { defaultKind } from '../kit/launch.ts';
import { openSandbox, sendJobs } from '../kit/person.ts';
import { connectTo, expect, test } from './fixtures.ts';

const reason = 'needs the Electron program; the stand-in cannot prove it (test/electron-stand-in/README.md)';

test('windows load from app://jobdeck, in Electron’s own Chromium @electron', async ({ launch }) => {
  test.skip(defaultKind() !== 'electron', reason);
  const { page } = await launch();
  // Asked of the page: to Node the origin of this scheme is opaque.
  expect(await page.evaluate(() => window.location.origin)).toBe('app://jobdeck');
  expect(await page.evaluate(() => navigator.userAgent)).toMatch(/Electron\/45\./);
  const info = await page.evaluate(() => window.bridge?.call('app:info', undefined));
  expect(info).toMatchObject({ ok: true, value: { runtime: 'electron' } });
});

test.describe('requests of a page to the scheme', () => {
  test.use({ breaksPolicy: true });

  test('the app’s scheme serves only its own files, with their policy @electron', async ({ launch }) => {
    test.skip(defaultKind() !== 'electron', reason);
    const { page } = await launch();
    const seen = await page.evaluate(async () => {
      const own = await fetch('/index.html');
      const statusOf = (address: string): Promise<number | string> =>
        fetch(address).then(
          ({ status }) => status,
          () => 'refused',
        );
      return {
        isSecure: window.isSecureContext,
        policy: own.headers.get('content-security-policy'),
        outside: await statusOf('app://jobdeck/..%2f..%2fpackage.json'),
        missing: await statusOf('/nowhere.js'),
        file: await statusOf('file:///etc/passwd'),
      };
    });
    expect(seen).toMatchObject({ isSecure: true, outside: 404, missing: 404, file: 'refused' });
    expect(seen.policy).toContain("default-src 'none'");
  });
});

test('a key is saved in the system’s own store and is there after a restart @electron', async ({
  launch,
  startService,
}) => {
  test.skip(defaultKind() !== 'electron', reason);
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  const info = await page.evaluate(() => window.bridge?.call('app:info', undefined));
  expect(info).toMatchObject({
    ok: true,
    value: { keyStorage: { kind: expect.stringMatching(/^(keychain|safe-storage)$/) } },
  });
  await app.close();
  const again = await launch();
  await expect(again.page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  const listed = await again.page.evaluate(() => window.bridge?.call('connection:list', undefined));
  expect(listed).toMatchObject({ ok: true, value: [{ hasKey: true }] });
});

test('the desktop shows a notification @electron', async ({ launch }) => {
  test.skip(defaultKind() !== 'electron', reason);
  const { app, page } = await launch();
  await openSandbox(page);
  await app.leave();
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'seen by a person' } }]);
  const answers = () => app.ask('notificationAnswers');
  await expect
    .poll(async () => {
      const { shown, refused } = await answers();
      return shown + refused.length;
    })
    .toBe(1);
  const { refused } = await answers();
  const mayRefuse = process.platform !== 'linux' && refused.length > 0;
  test.skip(mayRefuse, `this desktop refuses notifications until a person allows them: ${refused.join()}`);
  expect(refused).toEqual([]);
  expect((await app.notifications()).map(({ title }) => title)).toEqual(['seen by a person completed']);
});

test('the checks of the packaged app from outside work: a job, a long text, a word', async ({ launch }) => {
  const { page } = await launch();
  const verdicts = await checkThroughBridge(page);
  const proved = { state: 'proved', detail: '' };
  expect(verdicts).toMatchObject({ threads: proved, zstd: proved, fts5: proved });
});
