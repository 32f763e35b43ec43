import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import type { Page, TestInfo } from '@playwright/test';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src-main/sandbox/sandbox-options.ts';
import { launchApp } from '../kit/launch.ts';
import { untilListed } from '../kit/person.ts';
import { TEST_API_KEY, startSandbox } from '../kit/sandbox.ts';

export { expect };
export type LaunchedApp = Awaited<ReturnType<typeof launchApp>>;

interface Fixtures {
  /** Whether windows have animations, as for a person without the setting for less motion. Only if a spec needs it. */
  hasMotion: boolean;
  /** Whether the content security policy must block something in this test. In other tests, a block is a failure. */
  breaksPolicy: boolean;
  /** A separate folder for the app's data, removed after the test. */
  dataDir: string;
  /** Starts the app with `dataDir`. What still runs at the end of the test is ended. */
  launch: (options?: { env?: Record<string, string>; args?: string[] }) => Promise<{ app: LaunchedApp; page: Page }>;
  /** A sandbox in the test's own process: the service, which a test can take offline, break and query. */
  startService: (options?: SandboxOptions) => Promise<Sandbox>;
}

/** Every test gets a new profile, the built app, and its own services. */
export const test = base.extend<Fixtures>({
  hasMotion: [false, { option: true }],
  breaksPolicy: [false, { option: true }],
  dataDir: async ({ browserName: _browserName }, use) => {
    const dataDir = await makeDataDir();
    await use(dataDir);
    await removeDataDir(dataDir);
  },
  launch: async ({ dataDir, hasMotion, breaksPolicy }, use, testInfo) => {
    const apps: LaunchedApp[] = [];
    await use(async (options = {}) => {
      const launched = await launchWindow(dataDir, { ...options, hasMotion });
      apps.push(launched.app);
      testInfo.annotations.push({ type: 'runtime', description: launched.app.kind });
      return launched;
    });
    for (const app of apps) {
      if (testInfo.status !== testInfo.expectedStatus) await attachState(app, testInfo);
      await app.kill();
    }
    const keptOut = apps.flatMap((app) => policyViolations(app.logs()));
    if (!breaksPolicy) expect(keptOut).toEqual([]);
  },
  startService: async ({ browserName: _browserName }, use) => {
    const services: Sandbox[] = [];
    await use(async (options = {}) => {
      const service = await startSandbox(options);
      services.push(service);
      return service;
    });
    for (const service of services) await service.close();
  },
});

/** What the tests of a `describe` share. */
export interface SharedApp {
  app: LaunchedApp;
  page: Page;
  dataDir: string;
}

type Restart = (whileClosed?: () => void) => Promise<SharedApp>;

/**
 * One app for all tests of a `describe` (or file), where each test leaves the window as the next one needs it, or uses
 * jobs, endpoints and windows of its own. It is started before the first test and ended after the last. After a test
 * that failed, the next one gets a new app. `prepare` runs once for each app: what all tests begin with. Its `restart`
 * closes the app, does what may be done only then, and starts it again. `env` is added to the app's environment.
 * Returns the app; to be called within a test.
 */
export function shareApp(
  prepare: (shared: SharedApp, startService: typeof startSandbox, restart: Restart) => Promise<void>,
  env: Record<string, string> = {},
) {
  let shared: SharedApp | undefined;
  const services: Sandbox[] = [];
  test.beforeAll(async () => {
    const dataDir = await makeDataDir();
    const start = async (): Promise<SharedApp> => {
      shared = { ...(await launchWindow(dataDir, { env, hasMotion: false })), dataDir };
      return shared;
    };
    const first = await start();
    const startService: typeof startSandbox = async (options) => {
      const service = await startSandbox(options);
      services.push(service);
      return service;
    };
    await prepare(first, startService, async (whileClosed) => {
      await first.app.close();
      whileClosed?.();
      const again = await start();
      await untilListed(again.page);
      return again;
    });
  });
  test.beforeEach(({ browserName: _browserName }, testInfo) => {
    if (shared !== undefined) testInfo.annotations.push({ type: 'runtime', description: shared.app.kind });
  });
  test.afterEach(async ({ browserName: _browserName }, testInfo) => {
    if (shared !== undefined && testInfo.status !== testInfo.expectedStatus) await attachState(shared.app, testInfo);
  });
  test.afterAll(async () => {
    await shared?.app.kill();
    for (const service of services) await service.close();
    if (shared === undefined) return;
    await removeDataDir(shared.dataDir);
    expect(policyViolations(shared.app.logs())).toEqual([]);
  });
  return (): SharedApp => {
    if (shared === undefined) throw new Error('The shared app has not been started: call this within a test.');
    return shared;
  };
}

/** Attaches what the app wrote and what its windows show to a test that failed. The report prints 300 characters. */
async function attachState(app: LaunchedApp, testInfo: TestInfo): Promise<void> {
  await testInfo.attach('app.log', { body: app.logs(), contentType: 'text/plain' });
  for (const page of app.windows()) {
    const shown = await Promise.race([
      page
        .evaluate(() => {
          const focused = document.activeElement;
          const main = document.querySelector<HTMLElement>('main') ?? document.body;
          const name = focused?.getAttribute('aria-label') ?? focused?.textContent.slice(0, 20);
          return `focus: ${focused?.tagName} ${name} | ${main.innerText.replace(/\s+/g, ' ')}`;
        })
        .catch(String),
      new Promise<string>((resolve) => setTimeout(resolve, 5_000, 'The window did not answer within 5 s.')),
    ]);
    await testInfo.attach(page.url(), { body: shown, contentType: 'text/plain' });
  }
}

/** By its real path, as Electron has it: on macOS the folder for temporary files is a link, on Windows a short name. */
async function makeDataDir(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'jobdeck-e2e-')));
}

/** The processes of a killed app end one after the other, and Windows removes no file that one of them has open. */
function removeDataDir(dataDir: string): Promise<void> {
  return rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function launchWindow(
  dataDir: string,
  { env, args, hasMotion }: { env?: Record<string, string>; args?: string[]; hasMotion: boolean },
): Promise<{ app: LaunchedApp; page: Page }> {
  const motion: Record<string, string> = hasMotion ? {} : { ELECTRON_STAND_IN_REDUCED_MOTION: '1' };
  const app = await launchApp({ dataDir, env: { ...motion, ...env }, args: args ?? [] });
  const page = await app.mainWindow();
  await page.setViewportSize({ width: 1440, height: 900 });
  return { app, page };
}

/** What the content security policy blocked, from Chromium's messages on the console. */
export function policyViolations(logs: string): string[] {
  return logs.split('\n').filter((line) => /content security policy|requires 'Trusted\w+' assignment/i.test(line));
}

/** Types a connection into the first screen and connects. */
export async function connectTo(
  page: Page,
  service: Pick<Sandbox, 'baseUrl' | 'restUrl' | 'endpoints'>,
  options: { key?: string; name?: string } = {},
): Promise<void> {
  await page.getByLabel('Connection name').fill(options.name ?? 'Production');
  await page.getByLabel('Base URL').fill(service.baseUrl);
  await page.getByLabel('REST URL').fill(service.restUrl);
  await page.getByLabel('API key').fill(options.key ?? TEST_API_KEY);
  // A space ends an id, so that all of them become tokens. Enter would already connect.
  await page.getByLabel('Endpoint ids').fill(`${service.endpoints.join(' ')} `);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await untilListed(page);
}

/** Runs a command by the palette: types its label and presses Enter when it is the chosen one. */
export async function runByPalette(page: Page, label: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill(label);
  // The field is ahead of its list.
  await expect(page.getByRole('option', { name: label, exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toHaveCount(0);
}

/** The job's pane. */
export function jobPane(page: Page) {
  return page.getByRole('region', { name: 'Job', exact: true });
}

/** Waits until the job with this title is open and in this state, as its pane words it. Returns the pane. */
export async function openJobIn(page: Page, title: string, state: string) {
  const pane = jobPane(page);
  await expect(pane.getByRole('heading', { name: title })).toBeVisible();
  await expect(pane.getByText(state).first()).toBeVisible({ timeout: 30_000 });
  return pane;
}
