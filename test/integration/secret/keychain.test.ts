import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKeytar } from '../../../src-main/secret/keychain.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import type { SecretStore } from '../../../src-main/secret/secret-store.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { createLog } from '../../../src-main/log.ts';
import { openedSecretStore, valueOf } from '../../kit/connection-parts.ts';

const isOn = process.env['JOBDECK_TEST_KEYCHAIN'] === '1';
const reason =
  'needs a Secret Service over D-Bus: JOBDECK_TEST_KEYCHAIN is not 1 (dbus, gnome-keyring and libsecret ' +
  'installed, run inside dbus-run-session with an unlocked keyring)';

const secret = 'sk-live-€-0123456789 "quoted"\\';
let root = '';
let service = '';
let logText = '';

beforeEach((context) => {
  if (!isOn) context.skip(reason);
  root = mkdtempSync(join(tmpdir(), 'jobdeck-keychain-'));
  // A name of its own: nothing of this computer's user is read or removed.
  service = `Jobdeck test ${randomUUID()}`;
  logText = '';
});
afterEach(() => {
  if (root !== '') rmSync(root, { recursive: true, force: true });
});

function open(): Promise<SecretStore> {
  const log = createLog({ write: (line) => (logText += line), now: () => 0, lowestLevel: 'debug' });
  return openedSecretStore({
    loadKeytar,
    safeStorage: null,
    files: createSecretFiles(join(root, 'secrets')),
    known: createKnownSecrets(log),
    log,
    serviceName: service,
  });
}

describe('the real keychain', () => {
  it('is found, keeps a key over a restart, and returns it exactly', async () => {
    const first = await open();
    expect(first.storage.kind).toBe('keychain');
    valueOf(await first.write('connection:a', secret));
    expect(await (await loadKeytar()).getPassword(service, 'connection:a')).toBe(secret);

    const second = await open();
    expect(second.has('connection:a')).toBe(true);
    expect(valueOf(await second.read('connection:a'))).toBe(secret);
    valueOf(await second.write('connection:a', 'sk-replaced'));
    expect(valueOf(await (await open()).read('connection:a'))).toBe('sk-replaced');
    valueOf(await second.remove('connection:a'));
  });

  it('deletes a removed key, and the check leaves nothing behind', async () => {
    const keytar = await loadKeytar();
    const store = await open();
    valueOf(await store.write('connection:a', secret));
    valueOf(await store.write('s3:a', 'other'));
    valueOf(await store.remove('connection:a'));
    valueOf(await store.remove('s3:a'));
    valueOf(await store.remove('never-there'));
    expect(await keytar.getPassword(service, 'connection:a')).toBeNull();
    expect(await findAccounts()).toEqual([]);
  });

  it('leaves only empty marks on the disk', async () => {
    const store = await open();
    valueOf(await store.write('connection:a', secret));
    const names = readdirSync(join(root, 'secrets'));
    expect(names).toHaveLength(1);
    expect(readFileSync(join(root, 'secrets', names[0] ?? ''))).toHaveLength(0);
    expect(logText).not.toContain('0123456789');
    valueOf(await store.remove('connection:a'));
  });

  it('notices a key that was removed by other means', async () => {
    const store = await open();
    valueOf(await store.write('connection:a', secret));
    await (await loadKeytar()).deletePassword(service, 'connection:a');
    expect(valueOf(await store.read('connection:a'))).toBeNull();
    expect(store.has('connection:a')).toBe(false);
  });

  it('serves many simultaneous reads', async () => {
    const store = await open();
    valueOf(await store.write('connection:a', secret));
    const reads = await Promise.all(Array.from({ length: 50 }, () => store.read('connection:a')));
    expect(reads.every((read) => read.ok && read.value === secret)).toBe(true);
    valueOf(await store.remove('connection:a'));
  });

  it('when locked is a failure that says so, not "no key"', async () => {
    expect(await inSessionOfItsOwn('locked')).toEqual({
      kind: 'keychain',
      readWhenLocked: expect.stringMatching(/The system keychain refused to read the key\. It may be locked/) as string,
      writeWhenLocked: expect.stringMatching(/refused to save the key/) as string,
      removeWhenLocked: expect.stringMatching(/refused to remove the key/) as string,
      hasAfterRemove: false,
    });
  });

  it('missing from the session means that keys last only for the session', async () => {
    expect(await inSessionOfItsOwn('absent')).toMatchObject({
      kind: 'session',
      explanation:
        'No keychain found on this computer. Keys are kept in memory until Jobdeck closes, and written nowhere.',
      back: 'sk-session',
      files: [],
    });
  });
});

/** Accounts under this test's service name; only the newer of keytar's interfaces lists them. */
async function findAccounts(): Promise<unknown> {
  const keytar: object = await loadKeytar();
  const find: unknown = Reflect.get(keytar, 'findCredentials');
  if (typeof find !== 'function') throw new Error('keytar cannot list');
  return Reflect.apply(find, keytar, [service]);
}

/** Runs keychain-scene.ts in a D-Bus session, home and keyring that exist only for it; answers what it printed. */
async function inSessionOfItsOwn(scene: 'locked' | 'absent'): Promise<unknown> {
  const home = join(root, 'home');
  const runtime = join(root, 'run');
  mkdirSync(home);
  mkdirSync(runtime, { mode: 0o700 });
  const script = fileURLToPath(new URL('keychain-scene.ts', import.meta.url));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    NODE_NO_WARNINGS: '1',
    SCENE_FOLDER: join(root, 'scene'),
  };
  const run = `"${process.execPath}" "${script}" ${scene}`;
  const unlocked = `printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null && ${run}`;
  const [command, args] =
    scene === 'locked'
      ? (['dbus-run-session', ['--', 'bash', '-c', unlocked]] as const)
      : (['bash', ['-c', run]] as const);
  const { stdout } = await promisify(execFile)(command, args, { env, timeout: 25_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null');
}
