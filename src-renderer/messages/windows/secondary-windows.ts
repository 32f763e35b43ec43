import type { Connection } from '../../../src-preload/connection.ts';
import { paneTitles } from './main-window.ts';

/** The title of a window for the system. */
export function windowTitle(name: string): string {
  return name === '' ? 'Jobdeck' : `${name} · Jobdeck`;
}

/** What a window of its own is about: `Pod, Studio`. The sandbox has a badge beside it. */
export function aboutText(kind: string, connection: Pick<Connection, 'name' | 'isSandbox'> | null): string {
  return connection === null || connection.isSandbox ? kind : `${kind}, ${connection.name}`;
}

/** Every window except the main one. */
export const secondaryWindowText = { commands: 'commands' };

/** A window whose connection was removed. */
export const removedConnectionText = {
  title: 'This connection was removed',
  noEndpoints: 'Jobdeck no longer reads its endpoints. Close this window, or add the connection again.',
  noPods: 'Jobdeck can no longer read its pods. Close this window, or add the connection again.',
};

/** The window of a job. */
export const jobWindowText = {
  untitled: 'Job',
  about: (id: string, endpoint: string): string => `Job ${id}, ${endpoint}`,
  savedCopy: 'Reading the copy saved on this computer',
};

/** The window of an endpoint's health. */
export const healthWindowText = {
  name: (endpoints: string): string => `Health of ${endpoints}`,
  title: paneTitles.health,
  allEndpoints: 'All endpoints',
  part: 'The health of these endpoints',
};

/** The window of the sandbox. */
export const sandboxWindowText = {
  running: 'Sandbox running',
  stopped: 'Sandbox stopped',
};
