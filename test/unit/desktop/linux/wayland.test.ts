import { expect, it } from 'vitest';
import { isWayland } from '../../../../src-main/desktop/linux/wayland.ts';

it.each([
  { platform: 'linux', session: 'wayland', ozonePlatform: '', is: true },
  { platform: 'linux', session: 'wayland', ozonePlatform: 'auto', is: true },
  { platform: 'linux', session: 'wayland', ozonePlatform: 'x11', is: false },
  { platform: 'linux', session: 'x11', ozonePlatform: 'wayland', is: true },
  { platform: 'linux', session: 'x11', ozonePlatform: '', is: false },
  { platform: 'linux', session: undefined, ozonePlatform: '', is: false },
  { platform: 'win32', session: 'wayland', ozonePlatform: '', is: false },
] as const)('windows use Wayland: $is on $platform in a session of $session with "$ozonePlatform"', (facts) => {
  const { platform, session, ozonePlatform, is } = facts;
  expect(isWayland({ platform, env: { XDG_SESSION_TYPE: session }, ozonePlatform })).toBe(is);
});
