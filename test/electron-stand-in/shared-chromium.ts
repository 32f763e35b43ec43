import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, hasDisplay } from '../kit/chromium.ts';
import { startChromium } from './chromium-pipe.ts';
import type { Chromium } from './chromium-pipe.ts';

const profilePrefix = 'electron-stand-in-';

/** Whether windows are visible to a person. `ELECTRON_STAND_IN_HEADLESS=1` always hides them. */
export const isHeadless = process.env['ELECTRON_STAND_IN_HEADLESS'] === '1' || !hasDisplay();

export interface Desktop {
  chromium: Chromium;
  executable: string;
  profileDir: string;
}

let started: Promise<Desktop> | null = null;
let running: Desktop | null = null;
const setUps: ((desktop: Desktop) => Promise<void>)[] = [];

/** Sets what must be prepared in every Chromium before the first window (interception of the app's origin). */
export function onChromiumStarted(prepare: (desktop: Desktop) => Promise<void>): void {
  setUps.push(prepare);
}

/** The Chromium that contains all windows. Started at the first call. */
export function desktop(): Promise<Desktop> {
  started ??= start();
  return started;
}

/**
 * Ends Chromium and removes its profile, before it returns: Electron's own end leaves main no time either. Does nothing
 * if none runs. One that is still starting ends with this process, and a later start removes its profile.
 */
export function endDesktop(): void {
  if (running === null) return;
  running.chromium.end();
  rmSync(running.profileDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function start(): Promise<Desktop> {
  const executable = findChromium();
  if (executable === null)
    throw new Error(
      'The Electron stand-in needs a Chromium and found none. Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.',
    );
  removeLeftProfiles();
  const profileDir = mkdtempSync(join(tmpdir(), `${profilePrefix}${process.pid}-`));
  const chromium = await startChromium(executable, profileDir, isHeadless, () => {
    // Like the end of Electron's own browser process: there is nothing left to run in.
    console.error('[electron stand-in] Chromium ended, so the app ends with it.');
    rmSync(profileDir, { recursive: true, force: true });
    process.exit(1);
  });
  const made = { chromium, executable, profileDir };
  running = made;
  await Promise.all(setUps.map((prepare) => prepare(made)));
  return made;
}

/** A stand-in that was killed could not remove its profile. The next one does. */
function removeLeftProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(profilePrefix) ? Number(name.slice(profilePrefix.length).split('-')[0]) : Number.NaN;
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    } catch {
      // Another stand-in removes it at the same time, or its Chromium still writes into it. A later start tries again.
    }
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
