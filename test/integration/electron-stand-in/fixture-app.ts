import type { Page } from '@playwright/test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchApp } from '../../kit/launch.ts';
import type { LaunchOptions, LaunchedApp } from '../../kit/launch.ts';

export interface Fixture {
  app: LaunchedApp;
  page: Page;
  dataDir: string;
  /** Runs an expression in the first window's page. */
  inPage<T>(expression: string): Promise<T>;
  /** Calls the fixture's main, through the page and the preload. */
  call<T>(name: string, input?: unknown): Promise<T>;
  /** What main has noted so far: [event, ...details]. */
  seen(): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** Starts the fixture app on the stand-in (never on real Electron) with its own data folder. */
export async function startFixture(options: Partial<LaunchOptions> = {}): Promise<Fixture> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'stand-in-fixture-'));
  const app = await launchApp({ ...options, dataDir, appDir: join(import.meta.dirname, 'fixture'), kind: 'stand-in' });
  const page = await app.mainWindow();
  const inPage = <T>(expression: string): Promise<T> => page.evaluate<T>(expression);
  const call = <T>(name: string, input?: unknown): Promise<T> =>
    inPage<T>(`bridge.call(${JSON.stringify(name)}, ${input === undefined ? 'undefined' : JSON.stringify(input)})`);
  return {
    app,
    page,
    dataDir,
    inPage,
    call,
    seen: () => call<unknown[][]>('seen'),
    async close() {
      await app.kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The processes that use `profileDir`, from every process's command line. Zombies have none. */
export function processesOn(profileDir: string, listPids: () => number[]): number[] {
  return listPids().filter((pid) => {
    const path = `/proc/${pid}/cmdline`;
    try {
      return existsSync(path) && readFileSync(path, 'utf8').includes(profileDir);
    } catch {
      return false;
    }
  });
}
