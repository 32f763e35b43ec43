import { expect, it } from 'vitest';
import { failed, ok } from '../../../src-preload/failure.ts';
import { createProxyPasswords } from '../../../src-main/secret/proxy-password.ts';

it('a password is saved for one proxy and name, and read once for any number of requests', async () => {
  const kept = new Map<string, string>();
  let reads = 0;
  const secrets = {
    read: async (id: string) => ((reads += 1), ok(kept.get(id) ?? null)),
    write: async (id: string, secret: string) => (kept.set(id, secret), ok(null)),
  };
  const me = { proxy: 'http://proxy:1', name: 'me' };
  expect(await createProxyPasswords(secrets).write(me, 'a password')).toEqual(ok(null));
  const passwords = createProxyPasswords(secrets);
  expect([await passwords.read(me), await passwords.read(me)]).toEqual(['a password', 'a password']);
  expect(reads).toBe(1);
  expect(await passwords.read({ ...me, proxy: 'http://other:1' })).toBeNull();
  expect(await passwords.read({ ...me, name: 'somebody' })).toBeNull();
  const [id = ''] = kept.keys();
  expect(id).toMatch(/^proxy:[0-9a-f]{32}$/);
});

it('a password that cannot be read counts as none for now, and is read again', async () => {
  const answers = [failed({ kind: 'storage' as const, message: 'locked', detail: '' }), ok('a password')] as const;
  let asked = 0;
  const passwords = createProxyPasswords({
    read: async () => answers[Math.min(asked++, 1)] ?? answers[1],
    write: async () => ok(null),
  });
  const me = { proxy: 'http://proxy:1', name: 'me' };
  expect([await passwords.read(me), await passwords.read(me)]).toEqual([null, 'a password']);
});

it('a password that is saved while the former one is read is used from then on', async () => {
  const found = Promise.withResolvers<ReturnType<typeof ok<string>>>();
  const passwords = createProxyPasswords({ read: () => found.promise, write: async () => ok(null) });
  const me = { proxy: 'http://proxy:1', name: 'me' };
  const reading = passwords.read(me);
  await passwords.write(me, 'the new one');
  found.resolve(ok('the former one'));
  expect([await reading, await passwords.read(me)]).toEqual(['the new one', 'the new one']);
});
