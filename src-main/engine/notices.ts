import type { Notice } from '../../src-preload/app.ts';
import type { SetAside } from '../history/history.ts';

/** Things to say that are not tied to one job, kept until dismissed; they live as long as the app runs. */
export function createNotices(now: () => number, onAdded: (notice: Notice) => void): { add(notice: Omit<Notice, 'atMs'>): void; dismiss(id: string): void; all(): Notice[] } {
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

/** What is said of a former history that could not be used. */
export function setAsideNotice(setAside: SetAside): Omit<Notice, 'atMs'> {
  const why = { damaged: 'could not be read', newer: 'was written by a newer Jobdeck', 'not-a-database': 'is no database of Jobdeck' }[setAside.reason];
  const began = setAside.keptDocuments > 0 ? 'Your connections and settings could be taken over; the job list starts empty.' : 'Jobdeck started empty.';
  return {
    id: `set-aside:${setAside.path}`,
    tone: 'warning',
    title: 'The former history was set aside',
    text: `Its file ${why}. Nothing was deleted: it lies under a dated name, with the jobs in it. ${began}`,
    path: setAside.path,
  };
}
