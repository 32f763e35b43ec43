import { expect, test } from './fixtures.ts';

const reason = 'needs the Electron program; the stand-in cannot prove it (test/electron-stand-in/README.md)';

test('windows load from app://jobdeck, in Electron’s own Chromium @electron', async ({ launch }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'electron', reason);
  expect(new URL(page.url()).origin).toBe('app://jobdeck');
  expect(await page.evaluate(() => navigator.userAgent)).toMatch(/Electron\/45\./);
  const info = await page.evaluate(() => window.bridge?.call('app:info', undefined));
  expect(info).toMatchObject({ ok: true, value: { runtime: 'electron' } });
});
