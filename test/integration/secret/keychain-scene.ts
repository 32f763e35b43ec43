import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { loadKeytar } from '../../../src-main/secret/keychain.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { createLog } from '../../../src-main/log.ts';
import { openedSecretStore } from '../../kit/connection-parts.ts';

/** Run by keychain.test.ts in its own session: plays one scene with the real keychain and prints the result. */
const folder = process.env['SCENE_FOLDER'] ?? '';
const log = createLog({ write: (line) => process.stderr.write(line), now: () => 0, lowestLevel: 'debug' });
const store = await openedSecretStore({
  loadKeytar,
  safeStorage: null,
  files: createSecretFiles(folder),
  known: createKnownSecrets(log),
  log,
  serviceName: 'Jobdeck scene',
});
const said = (result: { ok: true } | { ok: false; failure: { message: string } }): string =>
  result.ok ? 'ok' : result.failure.message;

if (process.argv[2] === 'locked') {
  await store.write('connection:a', 'sk-kept');
  lockKeyring();
  const readWhenLocked = said(await store.read('connection:a'));
  const writeWhenLocked = said(await store.write('connection:b', 'sk-other'));
  const removeWhenLocked = said(await store.remove('connection:a'));
  print({
    kind: store.storage.kind,
    readWhenLocked,
    writeWhenLocked,
    removeWhenLocked,
    hasAfterRemove: store.has('connection:a'),
  });
} else {
  await store.write('connection:a', 'sk-session');
  const read = await store.read('connection:a');
  print({ ...store.storage, back: read.ok ? read.value : null, files: existsSync(folder) ? readdirSync(folder) : [] });
}

function lockKeyring(): void {
  const login = 'array:objpath:/org/freedesktop/secrets/collection/login';
  execFileSync('dbus-send', [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.Lock',
    login,
  ]);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
