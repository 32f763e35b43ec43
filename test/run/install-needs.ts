import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findChromium, findHeadlessShell, hasDisplay } from '../kit/chromium.ts';
import { projectDir } from '../kit/electron-binary.ts';
import { runProgram } from './program.ts';

export type Need = 'chromium' | 'keychain';

export interface Machine {
  chromium: string | null;
  /** Whether the keychain tests can run against a real Secret Service. */
  hasKeychain: boolean;
  /** One sentence for each missing thing that could not be installed, with the exact name of what to install. */
  missing: string[];
}

const isLinux = process.platform === 'linux';
const canInstall = isLinux && process.getuid?.() === 0 && isOnPath('apt-get');
let isListFresh = false;

/**
 * Finds what the tests and the stand-in need, installs missing parts with apt-get where that is allowed, and names the
 * rest.
 */
export async function prepareMachine(needs: readonly Need[], say: (line: string) => void): Promise<Machine> {
  const machine: Machine = { chromium: findChromium(), hasKeychain: false, missing: [] };
  if (needs.includes('chromium') && machine.chromium === null) {
    await install(['chromium'], say);
    machine.chromium = findChromium();
    if (machine.chromium === null)
      machine.missing.push(
        `Chromium is missing. ${isLinux ? 'Install it (Debian and Ubuntu: apt-get install chromium)' : 'Install Chromium or Google Chrome'}, or name one in CHROMIUM_PATH.`,
      );
  }
  // Saves a third of the time of an end-to-end run. Without it, the specs run in Chromium itself.
  if (needs.includes('chromium') && canInstall && !hasDisplay() && findHeadlessShell() === null)
    await install(['chromium-headless-shell'], say);
  if (needs.includes('keychain')) {
    const lacking = await prepareKeychain(say);
    machine.hasKeychain = lacking.length === 0;
    if (!machine.hasKeychain)
      machine.missing.push(
        `The keychain tests need ${lacking.join(', ')}; they are skipped.${isLinux ? ` On Debian and Ubuntu: apt-get install ${keychainPackages.join(' ')} libsecret-1-dev build-essential python3, then npm ci.` : ''}`,
      );
  }
  return machine;
}

const keychainPackages = ['dbus', 'gnome-keyring', 'libsecret-1-0'];

/** Resolves with what is still missing for the keychain tests. */
async function prepareKeychain(say: (line: string) => void): Promise<string[]> {
  if (!isLinux)
    return ['a Linux Secret Service (elsewhere the keychain of the person at the computer would be written to)'];
  const programs = ['dbus-run-session', 'dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];
  const hasPrograms = (): boolean => programs.every(isOnPath);
  if (!hasPrograms()) await install(keychainPackages, say);
  if (!(await keytarLoads())) await restoreKeytar(say);
  const lacking = programs.filter((name) => !isOnPath(name));
  if (!(await keytarLoads())) lacking.push('the native module keytar (built with libsecret-1-dev)');
  return lacking;
}

/** In a separate process: a native module that does not fit can end its process. */
async function keytarLoads(): Promise<boolean> {
  const { code } = await runProgram(process.execPath, ['-e', "require('keytar').getPassword"], { isQuiet: true });
  return code === 0;
}

/**
 * npm drops an optional dependency whose build fails, as keytar's does without libsecret's headers. Installs it again
 * at the version of package.json, without changing package.json or the lock file.
 */
async function restoreKeytar(say: (line: string) => void): Promise<void> {
  if (!canInstall) return;
  const tools = isOnPath('make') && isOnPath('g++') ? [] : ['build-essential'];
  await install(['libsecret-1-dev', 'pkg-config', ...tools, ...(isOnPath('python3') ? [] : ['python3'])], say);
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
    optionalDependencies?: Record<string, string>;
  };
  const version = optionalDependencies['keytar'];
  if (version === undefined) return;
  say('Building keytar, the keychain module.');
  const { code, output } = await runProgram(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', `keytar@${version}`],
    { isQuiet: true, env: headersOfNode(), timeoutMs: 300_000 },
  );
  if (code !== 0) say(`keytar could not be built: ${output.trim().split('\n').slice(-3).join(' ')}`);
}

/** The folder with Node's C headers next to the system's Node, so that a build needs no download. */
function headersOfNode(): Record<string, string> {
  const nodes = [process.env['npm_node_execpath'] ?? '', '/usr/bin/node', '/usr/local/bin/node'].filter(
    (path) => path !== '' && !path.includes('node_modules'),
  );
  const prefix = nodes
    .map((path) => dirname(dirname(path)))
    .find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
  return prefix === undefined ? {} : { npm_config_nodedir: prefix };
}

/** Installs Debian packages. Failures are found by searching for the programs afterwards. */
async function install(packages: readonly string[], say: (line: string) => void): Promise<void> {
  if (!canInstall) return;
  say(`Installing ${packages.join(', ')} with apt-get.`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if (!isListFresh) {
    isListFresh = true;
    await runProgram('apt-get', ['update', '-qq'], { isQuiet: true, env, timeoutMs: 180_000 });
  }
  const { code, output } = await runProgram(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    { isQuiet: true, env, timeoutMs: 600_000 },
  );
  if (code !== 0) say(`apt-get could not install them: ${output.trim().split('\n').slice(-2).join(' ')}`);
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));
}
