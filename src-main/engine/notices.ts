import type { Notice } from '../../src-preload/app.ts';
import type { HistoryEvent } from '../history/history.ts';
import type { LeftOutOfSearch, SetAside } from '../history/records.ts';
import type { Log } from '../log.ts';
import type { SetAsideState } from '../sandbox/host.ts';

/** Messages that belong to no job, kept until they are dismissed or the app ends. */
export interface Notices {
  add(notice: Omit<Notice, 'atMs'>): void;
  dismiss(id: string): void;
  all(): Notice[];
}

/** Notices by id, in memory. `onAdded` is called for each new one; `now` gives epoch milliseconds. */
export function createNotices(now: () => number, onAdded: (notice: Notice) => void): Notices {
  const kept = new Map<string, Notice>();
  return {
    add(notice) {
      const dated = { ...notice, atMs: now() };
      kept.set(notice.id, dated);
      onAdded(dated);
    },
    dismiss: (id) => void kept.delete(id),
    all: () => [...kept.values()],
  };
}

/** The notice about a former history that could not be used. */
export function setAsideNotice(setAside: SetAside): Omit<Notice, 'atMs'> {
  const why = {
    damaged: 'could not be read',
    newer: 'was written by a newer version of Jobdeck',
    'not-a-database': 'is not a Jobdeck database',
  }[setAside.reason];
  const began =
    setAside.keptDocuments > 0
      ? 'Your connections and settings were recovered; the job list starts empty.'
      : 'Jobdeck started empty.';
  return {
    id: `set-aside:${setAside.path}`,
    tone: 'warning',
    title: 'Your previous history was set aside',
    text: `Its file ${why}. It was kept under a dated name; nothing was deleted. ${began}`,
    path: setAside.path,
  };
}

/** The notice at the first start with a restored history. `path`: where the former one is. */
export function restoredNotice(path: string): Omit<Notice, 'atMs'> {
  return {
    id: `restored:${path}`,
    tone: 'info',
    title: 'Your history was restored',
    text:
      'The history you had before was set aside under a dated name. To get it back, open Settings, Storage. A ' +
      'retention rule is not restored with a backup: choose it there again if you want one.',
    path,
  };
}

/** The notice if a backup could not take the history's place at this start. */
export function restoreDelayedNotice(problem: string): Omit<Notice, 'atMs'> {
  return {
    id: 'restore-delayed',
    tone: 'warning',
    title: 'The backup was not restored yet',
    text: `${problem} Your history is as it was. Jobdeck restores the backup when it starts again.`,
    path: null,
  };
}

/** The notice if the environment disables the check of certificates. */
export const openTlsNotice: Omit<Notice, 'atMs'> = {
  id: 'open-tls',
  tone: 'warning',
  title: 'Jobdeck checks certificates even though your environment asks it not to',
  text:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set. It would let anyone on the network path read your keys, so ' +
    'Jobdeck ignores it. If your company has its own certificates, add them to your system: Jobdeck accepts those.',
  path: null,
};

/** The notice about keys that a former version left on the disk in a readable form. */
export function openToAllNotice(count: number): Omit<Notice, 'atMs'> {
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

/** The notice about a state file of the sandbox that could not be used. */
export function stateSetAsideNotice({ path, reason }: SetAsideState): Omit<Notice, 'atMs'> {
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

export const stateTroubleId = 'sandbox-state-trouble';

/** The notice while the sandbox cannot save its jobs. `sentence`: the sandbox's message. */
export function stateTroubleNotice(sentence: string, path: string): Omit<Notice, 'atMs'> {
  return { id: stateTroubleId, tone: 'error', title: 'The sandbox cannot save its jobs', text: sentence, path };
}

/** Shows and logs what happens to the history outside of calls. `dataDir`: where its file is. */
export function createHistoryEventReports(parts: {
  notices: Notices;
  log: Log;
  dataDir: string;
}): (event: Exclude<HistoryEvent, { kind: 'counted' }>) => void {
  const { notices, log, dataDir } = parts;
  return (event) => {
    switch (event.kind) {
      case 'left-out':
        log.warn('jobs whose text could not be indexed for search', {
          count: event.leftOut.count,
          first: event.leftOut.first.map(({ key }) => key),
        });
        if (event.leftOut.count === 0) notices.dismiss(leftOutId);
        else notices.add(leftOutNotice(event.leftOut));
        break;
      case 'thread-ended':
        log.error("the history's thread ended", { detail: event.detail, isStartedAgain: event.isStartedAgain });
        notices.add({
          id: 'history-thread',
          tone: event.isStartedAgain ? 'warning' : 'error',
          path: dataDir,
          title: event.isStartedAgain ? 'The history was interrupted' : 'Jobdeck no longer saves to the history',
          text: event.isStartedAgain
            ? `Its thread ended unexpectedly and was restarted: ${event.detail}. Jobdeck writes results that ` +
              'had just arrived again; you may have to repeat your last action.'
            : `Its thread kept ending, so Jobdeck stopped restarting it: ${event.detail}. Restart Jobdeck: ` +
              'jobs keep running at their service, and Jobdeck fetches unsaved results again while they last.',
        });
        break;
      case 'set-aside':
        notices.add(setAsideNotice(event.setAside));
        break;
    }
  };
}

const leftOutId = 'search-left-out';

/** The notice about jobs whose text is not in the index. */
function leftOutNotice({ count, first }: LeftOutOfSearch): Omit<Notice, 'atMs'> {
  const names = first.map(({ title }) => title).join(', ');
  const others = count - first.length;
  const which = others > 0 ? `${names} and ${others} more` : names;
  const [jobs, theyAre] = count === 1 ? ['one job', 'It is'] : [`${count} jobs`, 'They are'];
  return {
    id: leftOutId,
    tone: 'warning',
    title: `Could not index the text of ${jobs} for search`,
    text:
      `${theyAre} listed and readable, and found by title, id and tag: ${which}. A newer version of Jobdeck tries ` +
      'again.',
    path: null,
  };
}
