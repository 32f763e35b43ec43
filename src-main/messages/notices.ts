import { asSentence } from '../../src-preload/messages/sentence.ts';
import type { Notice } from '../../src-preload/app.ts';

/** A notice without the time at which it was shown. */
export type NewNotice = Omit<Notice, 'atMs'>;

/** Notices that are dismissed again by their ids. */
export const noticeIds = {
  unsearchable: 'search-left-out',
  sandboxNotSaved: 'sandbox-state-trouble',
  storageTrouble: 'storage-trouble',
};

const reasons = {
  damaged: 'could not be read',
  newer: 'was written by a newer version of Jobdeck',
  'not-a-database': 'is not a Jobdeck database',
};

/** A former history could not be used. `path`: where it is. */
export function setAsideNotice(setAside: {
  path: string;
  reason: keyof typeof reasons;
  /** How many connections, profiles, settings and drafts could be copied from it. */
  keptDocuments: number;
}): NewNotice {
  const began =
    setAside.keptDocuments > 0
      ? 'Your connections and settings were recovered; the job list starts empty.'
      : 'Jobdeck started empty.';
  return {
    id: `set-aside:${setAside.path}`,
    tone: 'warning',
    title: 'Your previous history was set aside',
    text: `Its file ${reasons[setAside.reason]}. It was kept under a dated name; nothing was deleted. ${began}`,
    path: setAside.path,
  };
}

/**
 * The first start with a restored history. `path`: where the former one is. `leftBehind`: which of its active jobs are
 * not tracked, in a sentence.
 */
export function restoredNotice(path: string, leftBehind: string | null): NewNotice {
  return {
    id: `restored:${path}`,
    tone: leftBehind === null ? 'info' : 'warning',
    title: 'Your history was restored',
    text:
      `The history you had before was set aside under a dated name. ${leftBehind === null ? '' : `${leftBehind} `}` +
      'To get it back, open Settings, Storage. A retention rule is not restored with a backup: choose it there again ' +
      'if you want one.',
    path,
  };
}

/** The history is a copy that another program made. `count`: how many of its jobs would have been sent. */
export function copiedNotice(count: number): NewNotice {
  const jobs = count === 1 ? 'one job' : `${count} jobs`;
  return {
    id: 'history-copied',
    tone: 'warning',
    title: 'Your history is a copy',
    text:
      `Another program copied or restored its file. Jobdeck would have sent a request for ${jobs}, but may have done ` +
      'that already after the copy was made. Nothing was sent: check these jobs at the service first.',
    path: null,
  };
}

/** The log of the last changes (-wal) was deleted or cut. `path`: the folder of the history. */
export function jobsLostNotice(count: number, path: string): NewNotice {
  const [jobs, are] = count === 1 ? ['one job', 'is'] : [`${count} jobs`, 'are'];
  return {
    id: 'jobs-lost',
    tone: 'error',
    title: `The last changes of your history are missing, with ${jobs}`,
    text:
      `They were saved and ${are} gone: the file history.db-wal was deleted or cut, or history.db was replaced by an ` +
      'older one. If you still have the newer files, quit Jobdeck, put them back and start it again. What was sent ' +
      'runs on at its service: track it by its id while the service has the result.',
    path,
  };
}

/** Folders were in the place of the search index, which Jobdeck can create again. `paths`: where they are now. */
export function foldersAsideNotice(paths: readonly string[]): NewNotice {
  return {
    id: 'folders-aside',
    tone: 'warning',
    title: 'A folder was in the place of the search index',
    text:
      `Jobdeck renamed it and changed nothing in it: ${paths.join(', ')}. All jobs are being indexed again; until ` +
      'that is finished, a search may not find all of them.',
    path: paths[0] ?? null,
  };
}

/** A backup could not take the history's place at this start. */
export function restoreDelayedNotice(problem: string): NewNotice {
  return {
    id: 'restore-delayed',
    tone: 'warning',
    title: 'The backup was not restored yet',
    text: `${problem} Your history is as it was. Jobdeck restores the backup when it starts again.`,
    path: null,
  };
}

/** The environment disables the check of certificates. */
export const openTlsNotice: NewNotice = {
  id: 'open-tls',
  tone: 'warning',
  title: 'Jobdeck checks certificates even though your environment asks it not to',
  text:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set. It would let anyone on the network path read your keys, so ' +
    'Jobdeck ignores it. If your company has its own certificates, add them to your system: Jobdeck accepts those.',
  path: null,
};

/** A former version left keys on the disk in a readable form. */
export function openToAllNotice(count: number): NewNotice {
  const keys = count === 1 ? 'A key was' : `${count} keys were`;
  return {
    id: 'keys-open-to-all',
    tone: 'warning',
    title: `${keys} stored where other programs could read ${count === 1 ? 'it' : 'them'}`,
    text:
      'No keyring guarded the file, so its encryption protected nothing. Jobdeck deleted it. Replace the key at the ' +
      'service if others use this computer. Settings show where keys are now.',
    path: null,
  };
}

/** It cannot be read which keys are saved. `path`: their folder. `detail`: the message of the system. */
export function keysUnreadableNotice(path: string, detail: string): NewNotice {
  return {
    id: 'keys-unreadable',
    tone: 'error',
    title: 'Could not read which keys are saved',
    text:
      'Connections seem to have no key, so Jobdeck tracks no jobs. No key was deleted. Check that you can read the ' +
      `folder ${path}, then restart Jobdeck: ${asSentence(detail)}`,
    path,
  };
}

/** The state file of the sandbox could not be used. `reason`: the sandbox's sentence without a full stop. */
export function sandboxSetAsideNotice({ path, reason }: { path: string; reason: string }): NewNotice {
  return {
    id: `sandbox-set-aside:${path}`,
    tone: 'warning',
    title: 'The sandbox starts without its previous jobs',
    text:
      `${reason}. It was kept under a dated name; nothing was deleted. What Jobdeck received of the ` +
      'sandbox’s jobs is in the history.',
    path,
  };
}

/** The sandbox cannot save its jobs. `sentence`: the sandbox's message. */
export function sandboxNotSavedNotice(sentence: string, path: string): NewNotice {
  return {
    id: noticeIds.sandboxNotSaved,
    tone: 'error',
    title: 'The sandbox cannot save its jobs',
    text: sentence,
    path,
  };
}

/** The history's thread ended. `path`: the folder of the history. */
export function historyThreadNotice(ended: { detail: string; isStartedAgain: boolean }, path: string): NewNotice {
  const { detail, isStartedAgain } = ended;
  return {
    id: 'history-thread',
    tone: isStartedAgain ? 'warning' : 'error',
    path,
    title: isStartedAgain ? 'The history was interrupted' : 'Jobdeck no longer saves to the history',
    text: isStartedAgain
      ? `Its thread ended unexpectedly and was restarted: ${asSentence(detail)} Jobdeck is saving the results that ` +
        'had just arrived again; you may have to repeat your last action.'
      : `Its thread kept ending, so Jobdeck stopped restarting it: ${asSentence(detail)} Restart Jobdeck: ` +
        'jobs keep running at their service, and Jobdeck fetches unsaved results again while they last.',
  };
}

/** What was received cannot be written. `path`: the folder of the history. */
export function storageTroubleNotice(problem: string, path: string): NewNotice {
  return {
    id: noticeIds.storageTrouble,
    tone: 'error',
    title: 'Could not write the history',
    text: `${problem} Jobdeck keeps trying; nothing received is dropped meanwhile.`,
    path,
  };
}

/** Jobs whose text is not in the index. */
export function unsearchableNotice({
  count,
  first,
}: {
  count: number;
  first: readonly { title: string }[];
}): NewNotice {
  const names = first.map(({ title }) => title).join(', ');
  const others = count - first.length;
  const which = others > 0 ? `${names} and ${others} more` : names;
  const [jobs, theyAre] = count === 1 ? ['one job', 'It is'] : [`${count} jobs`, 'They are'];
  return {
    id: noticeIds.unsearchable,
    tone: 'warning',
    title: `Could not index the text of ${jobs} for search`,
    text:
      `${theyAre} listed and readable, and found by title, id and tag: ${which}. A newer version of Jobdeck tries ` +
      'again.',
    path: null,
  };
}

/** The system shows no notifications of Jobdeck. `error`: the system's message; Linux has none. */
export function notificationsRefusedNotice(error: string): NewNotice {
  const reason = error === '' ? '' : ` The system said: ${error}`;
  return {
    id: 'notifications-refused',
    tone: 'warning',
    title: 'Your system does not show Jobdeck’s notifications',
    text: `Allow them in the system’s settings; results are saved either way.${reason}`,
    path: null,
  };
}
