import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { launchApp } from '../../kit/launch.ts';
import { processesOn, startFixture } from './fixture-app.ts';
import type { Fixture } from './fixture-app.ts';

const open: Fixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});
async function start(options: Parameters<typeof startFixture>[0] = {}): Promise<Fixture> {
  const fixture = await startFixture(options);
  open.push(fixture);
  return fixture;
}

/** What the fixture noted with --turns. */
function turnsIn(logs: string): string[] {
  const noted = /^(asked|returned|before-quit|close|closed|a turn later|window-all-closed|will-quit|quit|too late)$/;
  return logs.split('\n').filter((line) => noted.test(line));
}

const pids = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0);

describe('the end of the app', () => {
  it('follows Electron’s order when it quits, and leaves nothing behind', async () => {
    const { app, dataDir } = await start();
    const profileDir = await app.ask('profileDir');
    await app.close();
    expect(await app.exited).toBe(0);
    // Its page tries what the policy refuses, and Chromium says so.
    const ofMain = app
      .logs()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('[page '));
    expect(ofMain).toEqual(['before-quit', 'will-quit']);
    expect(existsSync(profileDir)).toBe(false);
    expect(existsSync(join(dataDir, 'stand-in.lock'))).toBe(false);
  });

  // browser.cc: Quit, NotifyAndShutdown; window_list.cc: RemoveWindow.
  it('asks the app and its windows before quit() returns, and leaves no time for what begins at the end', async () => {
    const { app, call } = await start({ args: ['--turns'] });
    await call('quitNow').catch(() => undefined);
    expect(await app.exited).toBe(0);
    expect(turnsIn(app.logs())).toEqual([
      'asked',
      'before-quit',
      'close',
      'returned',
      'closed',
      'will-quit',
      'quit',
      'a turn later',
    ]);
  });

  it('reports that all windows are closed in the turn of the last one', async () => {
    const { app, page } = await start({ args: ['--turns', '--stay'] });
    await page.evaluate('window.close()').catch(() => undefined);
    await expect.poll(() => turnsIn(app.logs())).toEqual(['close', 'closed', 'window-all-closed', 'a turn later']);
  });

  it('happens automatically when the last window closes', async () => {
    const { app, page } = await start();
    await page.evaluate('window.close()').catch(() => {});
    expect(await app.exited).toBe(0);
  });

  it('lets every page send what waits, while its window still exists', async () => {
    const { app, inPage, call } = await start({ args: ['--stay'] });
    await inPage(`addEventListener('pagehide', () => void bridge.call('leaving', document.title))`);
    await call('open', { route: '/second' });
    const second = await app.waitForWindow('/second');
    await second.evaluate(`addEventListener('pagehide', () => void bridge.call('leaving', 'second'))`);
    await app.close();
    const left = app
      .logs()
      .trim()
      .split('\n')
      .filter((line) => /^(leaving|before-quit|will-quit)/.test(line));
    expect(left).toHaveLength(4);
    expect(left[0]).toBe('before-quit');
    expect(left.slice(1, 3).toSorted()).toEqual(['leaving Fixture in a window', 'leaving second in a window']);
    expect(left[3]).toBe('will-quit');
  });

  it('does not happen while the app stays in the tray', async () => {
    const { app, page } = await start({ args: ['--stay'] });
    await page.evaluate('window.close()').catch(() => {});
    await expect.poll(() => app.windowStates()).toEqual([]);
    expect(await app.badge()).toBe(3);
  });

  it.runIf(process.platform === 'linux')('by SIGKILL leaves no Chromium behind', async () => {
    const { app } = await start();
    const profileDir = await app.ask('profileDir');
    expect(processesOn(profileDir, pids).length).toBeGreaterThan(1);
    await app.kill();
    await expect.poll(() => processesOn(profileDir, pids)).toEqual([]);
    expect(existsSync(profileDir)).toBe(false);
  });

  // Windows has no such signal: it ends the process.
  it.skipIf(process.platform === 'win32')('by SIGTERM is a quit', async () => {
    const { app } = await start();
    process.kill(app.pid, 'SIGTERM');
    expect(await app.exited).toBe(0);
    expect(app.logs()).toContain('will-quit');
  });
});

describe('a second start with the same data', () => {
  it('notifies the first and exits', async () => {
    const first = await start();
    await expect(
      launchApp({
        dataDir: first.dataDir,
        appDir: join(import.meta.dirname, 'fixture'),
        kind: 'stand-in',
        args: ['--again'],
      }),
      // Electron says `ready` even so (electron_browser_main_parts.cc: PreMainMessageLoopRun).
    ).rejects.toThrow(/ended before it was ready \(exit code 0\)[^]*ready in spite of it/);
    await expect.poll(() => first.seen()).toContainEqual(['second-instance', '--again', 'fixture']);
  });

  it('is a first start when the first was killed', async () => {
    const first = await start();
    await first.app.kill();
    expect(existsSync(join(first.dataDir, 'stand-in.lock'))).toBe(true);
    const second = await start({ dataDir: first.dataDir });
    expect(await second.call('about')).toMatchObject({ userData: first.dataDir });
  });

  it('with other data is an app of its own', async () => {
    const first = await start();
    const dataDir = mkdtempSync(join(tmpdir(), 'stand-in-fixture-'));
    const second = await start({ dataDir });
    expect(await second.call('about')).toMatchObject({ userData: dataDir });
    expect(await first.seen()).not.toContainEqual(expect.arrayContaining(['second-instance']));
  });
});

describe('before the app is ready', () => {
  it('nothing that needs the system works, in Electron’s words', async () => {
    const { app } = await start({ args: ['--before-ready'] });
    const line =
      app
        .logs()
        .split('\n')
        .find((each) => each.startsWith('{"window"')) ?? '';
    expect(JSON.parse(line)).toEqual({
      window: 'Error: Cannot create BrowserWindow before app is ready',
      tray: 'Error: Cannot create Tray before app is ready',
      notification: 'Error: Cannot create Notification before app is ready',
      dialog: 'Error: dialog module can only be used after app is ready',
      session: 'TypeError: Session can only be received when app is ready',
      scheme: 'TypeError: Session can only be received when app is ready',
      screen: "Error: The 'screen' module can't be used before the app 'ready' event",
      shortcut: 'Error: globalShortcut cannot be used before the app is ready',
    });
    expect(app.logs()).toContain('early: safeStorage cannot be used before app is ready');
  });
});

describe('an app that cannot start', () => {
  it('says why, with its exit code and its own words', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stand-in-fixture-'));
    await expect(
      launchApp({
        dataDir,
        appDir: join(import.meta.dirname, 'fixture'),
        kind: 'stand-in',
        args: ['--throw-at-start'],
      }),
    ).rejects.toThrow(/exit code 1[^]*thrown at the top of main/);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('names Chromium when there is none', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'stand-in-fixture-'));
    await expect(
      launchApp({
        dataDir,
        appDir: join(import.meta.dirname, 'fixture'),
        kind: 'stand-in',
        env: { CHROMIUM_PATH: '/no/such/chromium' },
      }),
    ).rejects.toThrow('needs a Chromium and found none');
    rmSync(dataDir, { recursive: true, force: true });
  });
});
