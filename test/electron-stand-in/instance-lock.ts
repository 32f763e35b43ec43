import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './shared-chromium.ts';

/** What a second start sends to the first. */
export interface SecondInstance {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

export interface InstanceLock {
  isHeld: boolean;
  release(): void;
}

const lockFile = (dataDir: string): string => join(dataDir, 'stand-in.lock');
const messageDir = (dataDir: string): string => join(dataDir, 'stand-in-second-instances');

/**
 * One running app per data folder. A lock left by a killed process does not count. If the folder cannot be written, the
 * lock is not acquired and nothing is reported, as in Electron.
 */
export function takeInstanceLock(
  dataDir: string,
  told: SecondInstance,
  onSecond: (second: SecondInstance) => void,
): InstanceLock {
  try {
    return lockOrTell(dataDir, told, onSecond);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { isHeld: false, release: () => {} };
    throw error;
  }
}

function lockOrTell(dataDir: string, told: SecondInstance, onSecond: (second: SecondInstance) => void): InstanceLock {
  mkdirSync(messageDir(dataDir), { recursive: true });
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeFileSync(lockFile(dataDir), identity(process.pid), { flag: 'wx' });
      const watcher = listen(messageDir(dataDir), onSecond);
      return {
        isHeld: true,
        release() {
          watcher.close();
          rmSync(messageDir(dataDir), { recursive: true, force: true });
          rmSync(lockFile(dataDir), { force: true });
        },
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (isLockHeld(dataDir)) break;
      rmSync(lockFile(dataDir), { force: true });
    }
  }
  const name = join(messageDir(dataDir), `${process.pid}-${Date.now()}`);
  writeFileSync(`${name}.part`, JSON.stringify(told));
  renameSync(`${name}.part`, `${name}.json`);
  return { isHeld: false, release: () => {} };
}

/** Whether a running process holds the lock of `dataDir`. */
export function isLockHeld(dataDir: string): boolean {
  let holder: string;
  try {
    holder = readFileSync(lockFile(dataDir), 'utf8');
  } catch {
    return false;
  }
  const pid = Number(holder.split(' ')[0]);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && holder === identity(pid);
}

/** Process id and, if the system reports it, its start time: a reused id is another process. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return `${pid} `;
  }
}

function listen(folder: string, onSecond: (second: SecondInstance) => void): FSWatcher {
  const read = (): void => {
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
      const path = join(folder, name);
      const told = JSON.parse(readFileSync(path, 'utf8')) as SecondInstance;
      rmSync(path, { force: true });
      onSecond(told);
    }
  };
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  const watcher = watch(folder, read);
  watcher.unref();
  return watcher;
}
