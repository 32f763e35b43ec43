import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findElectron, projectDir } from '../kit/electron-binary.ts';
import { scriptOf } from './program.ts';

const cache = join(projectDir, 'node_modules', '.cache', 'jobdeck');
const marker = join(cache, 'electron-download-failed');
const patienceMs = 20_000;
const tryAgainAfterMs = 24 * 60 * 60_000;

/**
 * Tries to download Electron's program, once. Gives up if nothing arrives for 20 s, and does not try again for a day
 * after a failure. Resolves with the program's path, or null.
 */
export async function tryToGetElectron(say: (line: string) => void, now: () => number): Promise<string | null> {
  if (now() - lastFailureMs() < tryAgainAfterMs) return null;
  say('Electron’s program is not here yet; trying to download it.');
  const folder = join(cache, 'download');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await download(folder, now);
  rmSync(folder, { recursive: true, force: true });
  const electron = findElectron();
  if (electron === null) writeFileSync(marker, '');
  else rmSync(marker, { force: true });
  return electron;
}

/** Runs Electron's own installer, with its temporary files in a folder whose growth can be measured. */
function download(folder: string, now: () => number): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [scriptOf('electron', 'install-electron')], {
      cwd: projectDir,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    });
    let size = 0;
    let grewAt = now();
    const watch = setInterval(() => {
      const current = sizeOf(folder);
      if (current !== size) {
        size = current;
        grewAt = now();
      }
      if (now() - grewAt > patienceMs) child.kill();
    }, 500);
    const end = (): void => {
      clearInterval(watch);
      resolve();
    };
    child.once('error', end);
    child.once('close', end);
  });
}

function sizeOf(folder: string): number {
  let total = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    try {
      if (entry.isFile()) total += statSync(join(entry.parentPath, entry.name)).size;
    } catch {
      // Renamed meanwhile: it is counted the next time.
    }
  }
  return total;
}

function lastFailureMs(): number {
  try {
    return statSync(marker).mtimeMs;
  } catch {
    return 0;
  }
}
