import { expect, it } from 'vitest';
import { hasBusOwner, trayWatcher } from '../../../../src-main/desktop/linux/session-bus.ts';
import { startPrivateKeychain, whyNoKeychain } from '../../../kit/private-keychain.ts';

it('reports which names have an owner on the real bus', async (context) => {
  const why = whyNoKeychain();
  if (why !== null) context.skip(why);
  const keychain = await startPrivateKeychain();
  try {
    expect(await hasBusOwner('org.freedesktop.secrets', keychain.env)).toBe(true);
    expect(await hasBusOwner(trayWatcher, keychain.env)).toBe(false);
  } finally {
    keychain.close();
  }
});

it('returns null if there is no bus to ask', async () => {
  expect(await hasBusOwner(trayWatcher, {})).toBeNull();
  expect(await hasBusOwner(trayWatcher, { DBUS_SESSION_BUS_ADDRESS: 'disabled:' })).toBeNull();
  expect(await hasBusOwner(trayWatcher, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' })).toBeNull();
});
