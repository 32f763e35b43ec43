import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPrivateBus } from './private-bus.ts';

/** A Secret Service on a bus of its own. It can be made to hang, like a real one behind an unanswered prompt. */
export interface PrivateKeychain {
  /** The environment in which a program finds it. */
  env: Record<string, string>;
  /** From now on every caller waits. */
  hang(): void;
  /** Answers the calls that waited, and all later ones. */
  goOn(): void;
  close(): void;
}

const programs = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];

/** Why this computer cannot have one. Null if it can. */
export function whyNoKeychain(): string | null {
  const missing = programs.filter((name) => !exists(name));
  return missing.length === 0 ? null : `needs ${missing.join(', ')}`;
}

/** Starts one, unlocked. */
export async function startPrivateKeychain(): Promise<PrivateKeychain> {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-own-keychain-'));
  const bus = await startPrivateBus();
  const env = {
    ...bus.env,
    XDG_DATA_HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_CACHE_HOME: folder,
  };
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keyring.stdin.end('a password for tests only\n');
  const own: PrivateKeychain = {
    env,
    hang: () => void keyring.kill('SIGSTOP'),
    goOn: () => void keyring.kill('SIGCONT'),
    close() {
      keyring.kill('SIGKILL');
      bus.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (await hasOwner({ ...process.env, ...env })) return own;
  own.close();
  throw new Error('The keychain of this test did not come up.');
}

/** Whether the keyring took its name on the bus. Waits up to ten seconds for it. */
async function hasOwner(env: NodeJS.ProcessEnv): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = execFileSync('dbus-send', ['--session', '--print-reply', ...askForOwner], { env });
    if (String(answer).includes('boolean true')) return true;
    await delay(50);
  }
  return false;
}

const askForOwner = [
  '--dest=org.freedesktop.DBus',
  '/org/freedesktop/DBus',
  'org.freedesktop.DBus.NameHasOwner',
  'string:org.freedesktop.secrets',
];

function exists(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}
