import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { projectDir } from '../kit/electron-binary.ts';
import { launchApp } from '../kit/launch.ts';
import { clickToEnd, openSandbox } from '../kit/person.ts';
import { expect, test as base } from './fixtures.ts';

/** A feed on this computer: what it answers under a path, and what it was asked for. */
interface Feed {
  url: string;
  files: Map<string, string | ((response: ServerResponse) => void)>;
  asked: { path: string; headers: Record<string, unknown> }[];
}

interface Fixtures {
  feed: Feed;
  /** The app as an AppImage that was installed into a folder of its own. */
  installed: { page: Page; image: string; quit: () => Promise<void>; ended: Promise<number | null> };
}

const test = base.extend<Fixtures>({
  feed: async ({ browserName: _browserName }, use) => {
    const files: Feed['files'] = new Map();
    const asked: Feed['asked'] = [];
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://feed').pathname;
      asked.push({ path, headers: request.headers });
      const file = files.get(path);
      if (typeof file === 'function') file(response);
      else if (file === undefined) response.writeHead(404).end('not here');
      else response.end(file);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}/jobdeck`, files, asked });
    server.close();
    server.closeAllConnections();
  },
  installed: async ({ dataDir, feed }, use, testInfo) => {
    // Windows would run an installer, and macOS takes signed programs only: left-out.ts.
    testInfo.skip(process.platform !== 'linux', 'it plays an AppImage, which only Linux has');
    const folder = join(dataDir, 'installed');
    const appDir = join(folder, 'app');
    await mkdir(appDir, { recursive: true });
    for (const part of ['out', 'resources']) await symlink(join(projectDir, part), join(appDir, part));
    await writeFile(
      join(appDir, 'package.json'),
      JSON.stringify({ name: 'jobdeck', version: '0.1.0', main: 'out/main/main.js', type: 'module' }),
    );
    await writeFile(
      join(appDir, 'dev-app-update.yml'),
      `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: jobdeck-updater\n`,
    );
    const image = join(folder, 'Jobdeck.AppImage');
    await writeFile(image, '#!/bin/sh\nexit 0\n');
    await chmod(image, 0o755);
    const app = await launchApp({
      dataDir: join(dataDir, 'data'),
      appDir,
      env: { APPIMAGE: image, XDG_CACHE_HOME: join(folder, 'cache'), ELECTRON_STAND_IN_REDUCED_MOTION: '1' },
    });
    const page = await app.mainWindow();
    await openSandbox(page);
    await use({ page, image, quit: () => app.close(), ended: app.exited });
    await app.kill();
  },
});

/** A release as electron-builder writes it. */
function release(feed: Feed, version: string, content: string, promised = content): void {
  const sha512 = createHash('sha512').update(promised).digest('base64');
  const name = `Jobdeck-${version}.AppImage`;
  feed.files.set(`/jobdeck/${name}`, content);
  feed.files.set(
    '/jobdeck/latest-linux.yml',
    [
      `version: ${version}`,
      `files:`,
      `  - url: ${name}`,
      `    sha512: ${sha512}`,
      `    size: ${Buffer.byteLength(promised)}`,
      `path: ${name}`,
      `sha512: ${sha512}`,
      `releaseDate: '2026-11-20T12:00:00.000Z'`,
      `releaseNotes: Compares four jobs side by side.`,
      '',
    ].join('\n'),
  );
}

async function openAbout(page: Page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('navigation').getByRole('button', { name: 'About' }).click();
  const updates = dialog.getByRole('region', { name: 'Updates' });
  return updates;
}

test('a newer version is found, downloaded on request, and installed after the app quits', async ({
  feed,
  installed,
  dataDir,
}) => {
  const { page, image, quit } = installed;
  const marker = join(dataDir, 'new-version-ran');
  const content = `#!/bin/sh\ntouch '${marker}'\n`;
  const updates = await openAbout(page);
  // It was read once at the start, automatically, and had nothing then.
  await expect(updates.getByText('The feed has no release for this system.')).toBeVisible();
  feed.asked.length = 0;
  release(feed, '0.2.0', content);
  await updates.getByRole('button', { name: 'Check for updates' }).click();
  await expect(updates.getByText(/^Jobdeck 0\.2\.0 \(released .+\) is available\.$/)).toBeVisible();
  await expect(updates.getByText('Compares four jobs side by side.')).toBeVisible();
  // Found is not downloaded.
  expect(feed.asked.map(({ path }) => path)).toEqual(['/jobdeck/latest-linux.yml']);
  await updates.getByRole('button', { name: 'Download' }).click();
  await expect(updates.getByText('Jobdeck 0.2.0 is ready. It is installed when Jobdeck quits.')).toBeVisible();
  await quit();
  expect(await readFile(image, 'utf8')).toBe(content);
  await access(marker);
  // The feed receives nothing that distinguishes this copy from another.
  for (const { headers } of feed.asked)
    expect(headers['x-user-staging-id'] ?? '').toMatch(/^(?:00000000-0000-4000-8000-000000000000)?$/);
});

test('“Restart now” starts the new version once everything is written', async ({ feed, installed, dataDir }) => {
  const { page, image, ended } = installed;
  const marker = join(dataDir, 'new-version-ran');
  const content = `#!/bin/sh\necho "$APPIMAGE_EXIT_AFTER_INSTALL" > '${marker}'\n`;
  release(feed, '0.2.0', content);
  const updates = await openAbout(page);
  await expect(updates.getByRole('button', { name: 'Check for updates' })).toBeEnabled();
  await updates.getByRole('button', { name: 'Check for updates' }).click();
  await updates.getByRole('button', { name: 'Download' }).click();
  await clickToEnd(updates.getByRole('button', { name: 'Restart now' }));
  expect(await ended).toBe(0);
  expect(await readFile(image, 'utf8')).toBe(content);
  // It was started to stay.
  await expect.poll(() => readFile(marker, 'utf8').catch(() => null)).toBe('\n');
});

test('a wrong answer of a feed is reported and this version stays; another feed is used once its address is safe', async ({
  feed,
  installed,
}) => {
  const { page, image } = installed;
  const before = await readFile(image, 'utf8');
  const updates = await openAbout(page);
  const check = updates.getByRole('button', { name: 'Check for updates' });
  const says = (text: string | RegExp) => expect(updates.getByRole('status').first()).toHaveText(text);

  // Two answers that read the same do not follow each other, so that neither stands for the other.
  await check.click();
  await says('The feed has no release for this system.');
  release(feed, '0.1.0', 'as it is');
  await check.click();
  await says('This is the newest version.');
  feed.files.set('/jobdeck/latest-linux.yml', '<html>Sign in</html>');
  await check.click();
  await says('The feed’s answer is not a release.');
  release(feed, '0.0.9', 'older');
  await check.click();
  await says('This is the newest version.');
  feed.files.set('/jobdeck/latest-linux.yml', (response) => void response.writeHead(503).end());
  await check.click();
  await says('The feed answered 503.');
  release(feed, '0.3.0', 'somebody else’s program', 'what was promised');
  await check.click();
  await updates.getByRole('button', { name: 'Download' }).click();
  await says('The file is not the one the release promises, so it was deleted. Nothing was installed.');
  expect(await readFile(image, 'utf8')).toBe(before);

  // Another feed is asked from then on; one that is not encrypted, only on this computer.
  await updates.getByLabel('Update feed').fill('http://feeds.example.test/jobdeck');
  await updates.getByRole('button', { name: 'Use feed' }).click();
  await expect(updates.getByText(/Enter the feed as https:\/\/host\/folder/)).toBeVisible();
  await expect(updates.getByLabel('Update feed')).toHaveValue('http://feeds.example.test/jobdeck');
  await updates.getByLabel('Update feed').fill(feed.url.replace('/jobdeck', '/elsewhere'));
  await updates.getByRole('button', { name: 'Use feed' }).click();
  await expect(updates.getByText('Jobdeck checks this address for updates')).toBeVisible();
  await updates.getByRole('button', { name: 'Check for updates' }).click();
  await expect.poll(() => feed.asked.at(-1)?.path).toBe('/elsewhere/latest-linux.yml');
});
