import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ControlCall, ControlReady, ControlReply, Controls } from '../electron-stand-in/control-contract.ts';
import { findNode, projectDir } from './electron-binary.ts';
import type { RunningApp } from './launch.ts';
import './lighter-playwright.ts';

const runner = join(projectDir, 'test', 'electron-stand-in', 'run.ts');

/**
 * Starts the stand-in in a process of its own and attaches Playwright to its Chromium. Windows are headless unless
 * `JOBDECK_SHOW_WINDOWS=1`.
 */
export async function startStandIn(args: string[], env: Record<string, string>): Promise<RunningApp> {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const isShown = process.env['JOBDECK_SHOW_WINDOWS'] === '1';
  const child = spawn(findNode(), ['--disable-warning=ExperimentalWarning', runner, ...args], {
    cwd: projectDir,
    env: { ...inherited, ...(isShown ? {} : { ELECTRON_STAND_IN_HEADLESS: '1' }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let logs = '';
  const keep = (chunk: Buffer): void => void (logs += String(chunk));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);

  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let lastCall = 0;
  let hasEnded = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      for (const one of waiting.values()) one.reject(new Error(`The app has ended.\n${logs.slice(-2_000)}`));
      waiting.clear();
      resolve(code);
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: ControlReply | ControlReady) => {
      if ('standInReady' in message) {
        resolve();
        return;
      }
      const one = waiting.get(message.standIn);
      waiting.delete(message.standIn);
      if ('error' in message) one?.reject(new Error(message.error));
      else one?.resolve(message.result as never);
    });
    void exited.then((code) =>
      reject(new Error(`The app ended before it was ready (exit code ${String(code)}).\n${logs.slice(-2_000)}`)),
    );
    child.once('error', reject);
  });

  const ask = <N extends keyof Controls>(
    name: N,
    ...given: Parameters<Controls[N]>
  ): Promise<Awaited<ReturnType<Controls[N]>>> =>
    new Promise((resolve, reject) => {
      if (hasEnded || !child.connected) {
        reject(new Error('The app has ended.'));
        return;
      }
      lastCall += 1;
      waiting.set(lastCall, { resolve, reject });
      const call: ControlCall = { standIn: lastCall, name, args: given };
      child.send(call, (error) => {
        if (error !== null) reject(error);
      });
    });

  /** Waits until the app is ready, then joins its Chromium. */
  const attach = async (): Promise<{ browser: Browser; chromiumPid: number; profileDir: string }> => {
    await ready;
    // Focus, media and downloads stay as the stand-in set them. Otherwise Playwright would force the light scheme.
    const early = exited.then((code) =>
      Promise.reject(
        new Error(`The app ended as soon as it was ready (exit code ${String(code)}).\n${logs.slice(-2_000)}`),
      ),
    );
    early.catch(() => {});
    const browser = await Promise.race([
      chromium.connectOverCDP(await ask('endpoint'), { noDefaults: true, isLocal: true }),
      early,
    ]);
    return { browser, chromiumPid: await ask('chromiumPid'), profileDir: await ask('profileDir') };
  };
  const attached = attach();
  attached.catch(() => child.kill('SIGKILL'));
  const { browser, chromiumPid, profileDir } = await attached;
  return {
    kind: 'stand-in',
    pid: child.pid ?? -1,
    exited,
    pages: () => browser.contexts().flatMap((context) => context.pages()),
    ask,
    logs: () => logs,
    quit: () => ask('quit').catch(() => {}),
    async kill() {
      child.kill('SIGKILL');
      await exited;
      // Chromium ends when its pipe closes. Its profile can be removed then.
      for (let tries = 0; tries < 400 && isRunning(chromiumPid); tries += 1) await delay(25);
      rmSync(profileDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Whether the process runs. One that ended but was not collected by its parent counts as gone. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return process.platform !== 'linux' && canSignal(pid);
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
