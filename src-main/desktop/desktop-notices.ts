import type { Notice } from '../../src-preload/app.ts';
import type { Settings } from '../../src-preload/settings.ts';
import type { RefusedShortcut } from './global-keys.ts';

/** The notice for a link that leads nowhere. */
export function linkNotice(isMissing: boolean): Omit<Notice, 'atMs'> {
  return {
    id: 'link-refused',
    tone: 'warning',
    title: isMissing ? 'This link is for a job that is not saved here' : 'This link is not one Jobdeck understands',
    text: isMissing
      ? 'It was made on another computer, or the job was deleted. Nothing was sent.'
      : 'Jobdeck opens jobdeck://job/… and jobdeck://new?endpoint=…&input=… and nothing else. Nothing was sent.',
    path: null,
  };
}

/** What a page waits for and may not live to see the end of. */
export type LateWork = 'save' | 'export' | 'backup' | 'open-backup' | 'restore';

const lateTitles: Record<LateWork, string> = {
  save: 'Could not save a file',
  export: 'Could not export jobs',
  backup: 'Could not back up the history',
  'open-backup': 'Could not open a backup',
  restore: 'Could not restore the backup',
};

/** The notice for work that failed after the page that waited for it was gone. `message`: the failure's. */
export function lateFailureNotice(kind: LateWork, message: string): Omit<Notice, 'atMs'> {
  return {
    id: `late-failure-${kind}`,
    tone: 'error',
    title: lateTitles[kind],
    text: `${message} Jobdeck shows this here because the window that asked for it was closed or reloaded.`,
    path: null,
  };
}

/** The notice for a newer version that Jobdeck found on its own. */
export function updateNotice(version: string): Omit<Notice, 'atMs'> {
  return {
    id: 'update-available',
    tone: 'info',
    title: `Jobdeck ${version} is available`,
    text: 'Open About in the settings to download it. Nothing is downloaded or installed before you ask for it.',
    path: null,
  };
}

/** The notice for a setting that the system refused. `detail`: the system's message. */
export function refusedSettingNotice(
  what: 'login' | 'shortcuts',
  refused: readonly RefusedShortcut[],
  { globalShortcuts, isWayland }: Pick<Settings, 'globalShortcuts'> & { isWayland: boolean },
  detail: string,
): Omit<Notice, 'atMs'> {
  if (what === 'login')
    return {
      id: 'integration-login',
      tone: 'warning',
      title: 'Could not change whether Jobdeck starts at login',
      text: `Check that your system’s list of startup programs can be written, then try again. It said: ${detail}`,
      path: null,
    };
  const keys = refused.map((one) => globalShortcuts[one]).join(' and ');
  return {
    id: 'integration-shortcuts',
    tone: 'warning',
    title: `Your system did not give Jobdeck ${keys}`,
    text: isWayland
      ? 'On Wayland only the desktop gives out global shortcuts. Add one in your system’s keyboard settings that ' +
        'starts Jobdeck: a second start opens its window. Or switch global shortcuts off here.'
      : 'Another program probably uses these keys. Choose others in the preferences, or switch global shortcuts off.',
    path: null,
  };
}
