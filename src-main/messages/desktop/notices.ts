import { listed } from '../../../src-preload/messages/sentence.ts';
import type { NewNotice } from '../notices.ts';

/** Notices that are replaced when the system answers again, by their ids. */
export const integrationNoticeIds = { login: 'integration-login', shortcuts: 'integration-shortcuts' };

/** Of the notice of a link. */
export const linkNoticeId = 'link-refused';

/** A link that leads nowhere. */
export function linkNotice(isMissing: boolean): NewNotice {
  return {
    id: linkNoticeId,
    tone: 'warning',
    title: isMissing ? 'This link is for a job that is not saved here' : 'Jobdeck does not understand this link',
    text: isMissing
      ? 'It was made on another computer, or the job was deleted. Nothing was sent.'
      : 'Jobdeck opens jobdeck://job/… and jobdeck://new?endpoint=…&input=… and nothing else. Nothing was sent.',
    path: null,
  };
}

const lateTitles = {
  'add-handler': 'Could not add the handler',
  save: 'Could not save a file',
  export: 'Could not export jobs',
  backup: 'Could not back up the history',
  'open-backup': 'Could not open a backup',
  restore: 'Could not restore the backup',
};

/** What a page waits for and may not live to see the end of. */
export type LateWork = keyof typeof lateTitles;

/** Work that failed after the page that waited for it was gone. `message`: the failure's. */
export function lateFailureNotice(kind: LateWork, message: string): NewNotice {
  return {
    id: `late-failure-${kind}`,
    tone: 'error',
    title: lateTitles[kind],
    text: `${message} Jobdeck shows this here because the window that asked for it was closed or reloaded.`,
    path: null,
  };
}

/** A newer version that Jobdeck found on its own. */
export function updateNotice(version: string): NewNotice {
  return {
    id: 'update-available',
    tone: 'info',
    title: `Jobdeck ${version} is available`,
    text: 'Open About in the settings to download it. Nothing is downloaded or installed before you ask for it.',
    path: null,
  };
}

/** The system did not change what starts at login. `reason`: its message, or why in our words. */
export function loginRefusedNotice(reason: string): NewNotice {
  return {
    id: integrationNoticeIds.login,
    tone: 'warning',
    title: 'Could not change whether Jobdeck starts at login',
    text: `Check that your system’s list of startup programs can be written, then try again. Reason: ${reason}`,
    path: null,
  };
}

/** The system refused these global shortcuts. */
export function shortcutsRefusedNotice(keys: readonly string[], isWayland: boolean): NewNotice {
  return {
    id: integrationNoticeIds.shortcuts,
    tone: 'warning',
    title: `Your system did not give Jobdeck ${listed(keys)}`,
    text: isWayland
      ? 'On Wayland only the desktop gives out global shortcuts. Add one in your system’s keyboard settings that ' +
        'starts Jobdeck: starting it again opens its window. Or switch global shortcuts off here.'
      : 'Another program probably uses these keys. Choose others in the preferences, or switch global shortcuts off.',
    path: null,
  };
}

/** Pages run outside of the system's sandbox. */
export const withoutSandboxNotice: NewNotice = {
  id: 'without-sandbox',
  tone: 'error',
  title: 'Jobdeck runs without the system’s sandbox',
  text:
    'A fault in a page could reach your files. The system forbids unprivileged user namespaces, or Jobdeck was ' +
    'started with --no-sandbox. Install the deb package, or allow user namespaces, and start Jobdeck again.',
  path: null,
};
