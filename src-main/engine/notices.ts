import type { Notice } from '../../src-preload/app.ts';

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
