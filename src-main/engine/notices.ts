import type { Notice } from '../../src-preload/app.ts';
import type { HistoryEvent } from '../history/history.ts';
import type { Log } from '../log.ts';
import {
  copiedNotice,
  foldersAsideNotice,
  jobsLostNotice,
  historyThreadNotice,
  unsearchableNotice,
  noticeIds,
  setAsideNotice,
} from '../messages/notices.ts';

/** Messages that belong to no job, kept until they are dismissed or the app ends. */
export interface Notices {
  add(notice: Omit<Notice, 'atMs'>): void;
  /** With `atMs`, only the notice of then; one that came since stays. */
  dismiss(id: string, atMs?: number): void;
  all(): Notice[];
}

/** Notices by id, in memory. `on` is called for each that comes or goes; `now` gives epoch milliseconds. */
export function createNotices(
  now: () => number,
  on: { added: (notice: Notice) => void; removed: (id: string) => void },
): Notices {
  const kept = new Map<string, Notice>();
  return {
    add(notice) {
      const dated = { ...notice, atMs: now() };
      kept.set(notice.id, dated);
      on.added(dated);
    },
    dismiss(id, atMs) {
      if (atMs !== undefined && kept.get(id)?.atMs !== atMs) return;
      if (kept.delete(id)) on.removed(id);
    },
    all: () => [...kept.values()],
  };
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
      case 'unsearchable':
        log.warn('jobs whose text could not be indexed for search', {
          count: event.unsearchable.count,
          first: event.unsearchable.first.map(({ key }) => key),
        });
        if (event.unsearchable.count === 0) notices.dismiss(noticeIds.unsearchable);
        else notices.add(unsearchableNotice(event.unsearchable));
        break;
      case 'thread-ended':
        log.error("the history's thread ended", { detail: event.detail, isStartedAgain: event.isStartedAgain });
        notices.add(historyThreadNotice(event, dataDir));
        break;
      case 'jobs-lost':
        log.error('the history lost jobs that were saved', { count: event.count });
        notices.add(jobsLostNotice(event.count, dataDir));
        break;
      case 'folders-aside':
        log.warn('folders were in the place of the search index', { paths: event.paths });
        notices.add(foldersAsideNotice(event.paths));
        break;
      case 'held-back':
        log.warn('the history is a copy, and jobs of it are held back', { count: event.count });
        notices.add(copiedNotice(event.count));
        break;
      case 'set-aside':
        notices.add(setAsideNotice(event.setAside));
        break;
    }
  };
}
