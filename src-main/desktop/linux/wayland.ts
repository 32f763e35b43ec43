/** What determines the window system on Linux. */
export interface DisplayFacts {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  /** The switch `--ozone-platform`, with which the user may choose. Empty if it is not given. */
  ozonePlatform: string;
}

/**
 * Whether the windows are shown by Wayland. There, programs do not know and cannot set the position of their windows,
 * and global shortcuts are up to the desktop. Electron follows the session unless a switch names a platform. Pure.
 */
export function isWayland({ platform, env, ozonePlatform }: DisplayFacts): boolean {
  if (platform !== 'linux') return false;
  if (ozonePlatform === 'x11' || ozonePlatform === 'wayland') return ozonePlatform === 'wayland';
  return env['XDG_SESSION_TYPE'] === 'wayland';
}
