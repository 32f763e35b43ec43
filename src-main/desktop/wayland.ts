/** What tells which window system Linux shows windows by. */
export interface DisplayFacts {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  /** The switch `--ozone-platform`, by which the user may choose; empty where it is not given. */
  ozonePlatform: string;
}

/**
 * Whether Wayland shows the windows. It tells no program where its windows are and lets none place them, and global
 * shortcuts are the desktop's alone to give. Electron follows the session unless a switch names a platform. Pure.
 */
export function isWayland({ platform, env, ozonePlatform }: DisplayFacts): boolean {
  if (platform !== 'linux') return false;
  if (ozonePlatform === 'x11' || ozonePlatform === 'wayland') return ozonePlatform === 'wayland';
  return env['XDG_SESSION_TYPE'] === 'wayland';
}
