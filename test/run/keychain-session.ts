import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runProgram } from './program.ts';

/*
 * Started inside dbus-run-session: `node keychain-session.ts <program> [arguments]` runs a program with its own
 * unlocked keyring, in a folder that is removed afterwards. The keyring of the computer's user is never used.
 */
const [, , command, ...args] = process.argv;
if (command === undefined) throw new Error('keychain-session needs a program to run.');
const folder = mkdtempSync(join(tmpdir(), 'jobdeck-keyring-'));
const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
  env: { ...process.env, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CACHE_HOME: folder },
  stdio: ['pipe', 'ignore', 'ignore'],
});
keyring.once('error', () => {});
keyring.stdin.on('error', () => {});
keyring.stdin.end('a password for tests only\n');

const isUp = await waitForKeyring();
if (!isUp) console.error('The test keyring did not come up; the keychain tests are skipped.');
const { code } = await runProgram(command, args, { env: isUp ? { JOBDECK_TEST_KEYCHAIN: '1' } : {} });
keyring.kill();
rmSync(folder, { recursive: true, force: true });
process.exitCode = code ?? 1;

async function waitForKeyring(): Promise<boolean> {
  const ask = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    'string:org.freedesktop.secrets',
  ];
  for (let tries = 0; tries < 100 && keyring.exitCode === null; tries += 1) {
    const { output } = await runProgram('dbus-send', ask, { isQuiet: true });
    if (output.includes('boolean true')) return true;
    await delay(100);
  }
  return false;
}
