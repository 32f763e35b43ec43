import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { projectDir } from '../../kit/electron-binary.ts';
import { fuseStates, wantedFuses } from './fuses.ts';
import type { PackagedCheck } from './proofs.ts';
import type { Verdict } from './report.ts';

const patienceMs = 60_000;

/** The program that `npm run package -- --dir` left in dist. Null if there is none. */
export function findPackaged(platform: NodeJS.Platform = process.platform): string | null {
  const dist = join(projectDir, 'dist');
  if (!existsSync(dist)) return null;
  const [folder] = readdirSync(dist).filter((name) => /^(linux|win|mac)(-.*)?(-unpacked)?$/.test(name));
  if (folder === undefined) return null;
  const inside = { linux: 'jobdeck', win32: 'Jobdeck.exe', darwin: 'Jobdeck.app/Contents/MacOS/Jobdeck' };
  const path = join(dist, folder, platform === 'win32' || platform === 'darwin' ? inside[platform] : inside.linux);
  return existsSync(path) ? path : null;
}

/**
 * Starts the packaged program and checks it from outside, through one of its own pages: its fuses block every other way
 * in. Errors: if the program shows no window within a minute, every check except that of the fuses fails.
 */
export async function checkPackaged(program: string): Promise<Record<PackagedCheck, Verdict>> {
  const fuses = await checkFuses(program);
  const dataDir = mkdtempSync(join(tmpdir(), 'jobdeck-packaged-'));
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    program,
    [`--user-data-dir=${dataDir}`, '--remote-debugging-port=0', ...(isRoot ? ['--no-sandbox'] : [])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    const endpoint = await endpointOf(child.stderr);
    const browser = await chromium.connectOverCDP(endpoint);
    const pages = (): Page[] => browser.contexts().flatMap((context) => context.pages());
    const page = pages()[0] ?? (await browser.contexts()[0]?.waitForEvent('page', { timeout: patienceMs }));
    if (page === undefined) throw new Error('It showed no window.');
    await untilBridged(() => page.evaluate(() => window.bridge !== undefined), patienceMs);
    return { ...(await checkThroughBridge(page)), fuses };
  } catch (error) {
    const failed: Verdict = { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
    return { origin: failed, threads: failed, zstd: failed, fts5: failed, keychain: failed, fuses };
  } finally {
    child.kill('SIGKILL');
    try {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      // On Windows a helper process may still have a file open, and what was found out matters more.
    }
  }
}

/**
 * Waits until the page has the bridge: Chromium listens before there is a window, and a new window first has an empty
 * page, whose world ends while it is asked. Errors: rejects if it has none after `limitMs`.
 */
export async function untilBridged(hasBridge: () => Promise<boolean>, limitMs: number): Promise<void> {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await delay(100))
    if (await hasBridge().catch(() => false)) return;
  throw new Error('Its page has no bridge.');
}

/** Chromium prints where it listens as soon as it does. */
function endpointOf(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error('It did not start within a minute.')), patienceMs);
    stderr.on('data', (chunk: Buffer) => {
      text += String(chunk);
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    stderr.on('end', () => reject(new Error(`It ended before it listened. ${text.slice(-300)}`)));
  });
}

const proved: Verdict = { state: 'proved', detail: '' };
const verdict = (isGood: boolean, detail: string): Verdict => (isGood ? proved : { state: 'failed', detail });

/**
 * What one of our pages can find out through the bridge alone. Works on the stand-in too, where origin and keys differ.
 */
export async function checkThroughBridge(page: Page): Promise<Record<Exclude<PackagedCheck, 'fuses'>, Verdict>> {
  const seen = await page.evaluate(async (untilMs) => {
    const { bridge } = window;
    if (bridge === undefined) throw new Error('The page has no bridge.');
    const info = await bridge.call('app:info', undefined);
    const opened = await bridge.call('connection:openSandbox', undefined);
    if (!opened.ok) throw new Error(opened.failure.message);
    // Long enough to be compressed, with a word that occurs nowhere else.
    const text = `${'leaf '.repeat(2_000)}marmalade`;
    const sent = await bridge.call('job:submit', {
      connectionId: opened.value.id,
      endpointId: 'echo',
      operation: 'run',
      inputText: JSON.stringify({ text }),
      title: 'Packaged',
    });
    if (!sent.ok) throw new Error(sent.failure.message);
    const { key } = sent.value;
    const until = async (isDone: () => Promise<boolean>): Promise<boolean> => {
      for (const endMs = Date.now() + untilMs; Date.now() < endMs;) {
        if (await isDone()) return true;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return false;
    };
    const isCompleted = await until(async () => {
      const got = await bridge.call('job:get', { key });
      return got.ok && got.value.job.status === 'COMPLETED' && got.value.job.isResultSaved;
    });
    const kept = await bridge.call('job:body', { key, part: 'output', attempt: null, isWhole: true });
    const nothing = { endpointId: null, statuses: [], tags: [], notTags: [], sinceMs: null };
    const isFound = await until(async () => {
      const listed = await bridge.call('job:list', {
        filter: { view: 'all', connectionId: null, ...nothing, text: 'marmalade' },
        beforeKey: null,
        limit: 10,
      });
      return listed.ok && listed.value.jobs.some((job) => job.key === key);
    });
    return {
      origin: window.location.origin,
      runtime: info.ok ? info.value.runtime : info.failure.message,
      keys: info.ok ? info.value.keyStorage.kind : info.failure.message,
      isCompleted,
      isWhole: kept.ok && kept.value.text.includes(text),
      isFound,
    };
  }, 30_000);
  return {
    origin: verdict(
      seen.origin === 'app://jobdeck' && seen.runtime === 'electron',
      `it is at ${seen.origin} and says it runs on ${seen.runtime}`,
    ),
    threads: verdict(seen.isCompleted, 'the job did not complete'),
    zstd: verdict(seen.isWhole, 'the output is not what was sent'),
    fts5: verdict(seen.isFound, 'the word was not found'),
    keychain: verdict(seen.keys === 'keychain', `keys are kept by: ${seen.keys}`),
  };
}

interface FuseReader {
  getCurrentFuseWire(path: string): Promise<Record<string, unknown>>;
}

async function checkFuses(program: string): Promise<Verdict> {
  try {
    const reader: unknown = await import(moduleUrl('@electron/fuses'));
    if (!isFuseReader(reader)) return { state: 'unproved', detail: '@electron/fuses has changed' };
    const states = fuseStates(await reader.getCurrentFuseWire(program));
    const { build }: { build: { electronFuses: Record<string, boolean> } } = JSON.parse(
      readFileSync(join(projectDir, 'package.json'), 'utf8'),
    );
    const wrong = Object.entries(wantedFuses(build.electronFuses)).filter(
      ([place, isOn]) => states[Number(place)] !== isOn,
    );
    return verdict(wrong.length === 0, `fuses at ${wrong.map(([place]) => place).join(', ')} are not as configured`);
  } catch (error) {
    return { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** On Windows a module is imported by the address of its file, not by its path. */
function moduleUrl(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
}

function isFuseReader(module: unknown): module is FuseReader {
  return typeof module === 'object' && module !== null && 'getCurrentFuseWire' in module;
}
