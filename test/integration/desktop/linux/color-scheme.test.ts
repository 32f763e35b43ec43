import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followDesktopScheme, type DesktopScheme } from '../../../../src-main/desktop/linux/color-scheme.ts';
import { startPrivateBus, type PrivateBus } from '../../../kit/private-bus.ts';
import { whyNoKeychain } from '../../../kit/private-keychain.ts';
import { startPrivatePortal, type PrivatePortal } from '../../../kit/private-portal.ts';

let bus: PrivateBus;
const opened: { close(): void }[] = [];
beforeEach(async (context) => {
  const why = whyNoKeychain();
  if (why !== null) context.skip(why);
  bus = await startPrivateBus();
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  bus?.close();
});

/** Follows the desktop, and resolves with each scheme in turn. */
async function follow(): Promise<() => Promise<DesktopScheme>> {
  const reported: DesktopScheme[] = [];
  let next: (() => void) | null = null;
  opened.push(
    await followDesktopScheme(bus.env, (scheme) => {
      reported.push(scheme);
      next?.();
    }),
  );
  return async () => {
    while (reported.length === 0) await new Promise<void>((resolve) => (next = resolve));
    return reported.shift() ?? null;
  };
}

async function portal(first: number, options: { isOld?: boolean } = {}): Promise<PrivatePortal> {
  const started = await startPrivatePortal(bus.env, first, options);
  opened.push(started);
  return started;
}

async function dbusSend(...given: string[]): Promise<string> {
  return (await promisify(execFile)('dbus-send', ['--session', ...given], { env: { ...process.env, ...bus.env } }))
    .stdout;
}
const setting = ['string:org.freedesktop.appearance', 'string:color-scheme'];

it('the portal of these tests speaks to other D-Bus programs as well', async () => {
  await portal(1);
  const place = ['--print-reply', '--dest=org.freedesktop.portal.Desktop', '/org/freedesktop/portal/desktop'];
  expect(await dbusSend(...place, 'org.freedesktop.portal.Settings.ReadOne', ...setting)).toMatch(/variant +uint32 1/);
  expect(await dbusSend(...place, 'org.freedesktop.portal.Settings.Read', ...setting)).toMatch(
    /variant +variant +uint32 1/,
  );
});

it.each([{ isOld: false }, { isOld: true }])(
  'the colour scheme is read at the start and followed (%s)',
  async (options) => {
    const desktop = await portal(1, options);
    const next = await follow();
    expect(await next()).toBe('dark');
    for (const [chosen, scheme] of [
      [2, 'light'],
      [0, null],
      [1, 'dark'],
    ] as const) {
      desktop.choose(chosen);
      expect(await next()).toBe(scheme);
    }
  },
);

it('a colour scheme is accepted from the portal, and from no other program', async () => {
  const desktop = await portal(1);
  const next = await follow();
  expect(await next()).toBe('dark');
  const signal = 'org.freedesktop.portal.Settings.SettingChanged';
  await dbusSend('--type=signal', '/org/freedesktop/portal/desktop', signal, ...setting, 'variant:uint32:2');
  desktop.choose(0);
  expect(await next()).toBeNull();
});

it('the colour scheme is received from a portal that starts later', async () => {
  const next = await follow();
  const desktop = await portal(1);
  desktop.choose(1);
  expect(await next()).toBe('dark');
});
