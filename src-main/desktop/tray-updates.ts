import type { TrackerState } from '../../src-preload/app.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import type { JobCounts, JobFilter, JobPage } from '../../src-preload/history.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Clock } from '../time/clock.ts';
import { createThrottle } from '../time/throttle.ts';
import { refusalLine, refusalsOf } from './refusals.ts';
import type { RefusalNames } from './refusals.ts';
import { trayModel } from './tray-model.ts';
import type { TrayModel } from './tray-model.ts';

/** Redrawing a tray is slow on some desktops; this often is enough. */
const redrawEveryMs = 250;
const endedShown = 5;

export interface TrayUpdatesParts {
  clock: Clock;
  /** Oldest first. */
  liveJobs: () => Job[];
  history: {
    list(filter: JobFilter, beforeKey: string | null, limit: number): Promise<JobPage>;
    counts(connectionId: string | null, startOfTodayMs: number): Promise<JobCounts>;
  };
  trackerState: () => TrackerState;
  names: RefusalNames;
  showTray: (model: TrayModel) => void;
  setBadge: (count: number) => void;
}

/** Keeps the tray and the badge true: asks the history after changes, at most four times a second. */
export function createTrayUpdates(parts: TrayUpdatesParts): { changed(): void; close(): void } {
  let isClosed = false;
  // The history says itself that it cannot be read; the tray keeps what it shows.
  const drawing = createThrottle({
    clock: parts.clock,
    gapMs: redrawEveryMs,
    run: () => draw().catch(() => undefined),
  });

  async function draw(): Promise<void> {
    const [page, counts] = await Promise.all([
      parts.history.list(emptyFilter, null, endedShown * 4),
      parts.history.counts(null, 0),
    ]);
    if (isClosed) return;
    const tracker = parts.trackerState();
    parts.showTray(
      trayModel({
        live: parts.liveJobs().reverse(),
        recentlyEnded: page.jobs.filter((job) => !isLive(job)).slice(0, endedShown),
        failedUnseen: counts.failedUnseen,
        isPaused: tracker.isPaused,
        refusals: refusalsOf(tracker).map((refusal) => refusalLine(refusal, parts.names)),
        isOffline: tracker.connections.some((connection) => connection.state.kind === 'offline'),
      }),
    );
    parts.setBadge(counts.failedUnseen);
  }

  return {
    changed() {
      if (!isClosed) drawing.request();
    },
    close() {
      isClosed = true;
      drawing.cancel();
    },
  };
}
