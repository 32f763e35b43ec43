import type { TrackerState } from '../../../src-preload/app.ts';
import { emptyFilter, type AllJobCounts, type JobFilter, type JobPage } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { isUndisturbed, type DoNotDisturb } from '../../../src-preload/notification.ts';
import type { Settings } from '../../../src-preload/settings.ts';
import { refusalLine, refusalsOf, type RefusalNames } from '../../notifications/refusals.ts';
import type { Clock } from '../../time/clock.ts';
import { Alarm, createThrottle } from '../../time/timers.ts';
import { taskbarModel, WorkProgress, type TaskbarModel } from './taskbar-model.ts';
import { trayModel, type TrayModel } from './tray-model.ts';

/** Redrawing a tray icon is slow on some desktops, and this is often enough. */
const redrawEveryMs = 250;
/** Enough to include the jobs that ended last, and the last one that can be submitted again. */
const newestRead = 20;

export interface IconUpdatesParts {
  clock: Clock;
  /** Oldest first. */
  liveJobs: () => Job[];
  /** The counts that were last sent to the windows. */
  counts: () => AllJobCounts;
  history: { list(filter: JobFilter, beforeKey: string | null, limit: number): Promise<JobPage> };
  trackerState: () => TrackerState;
  settings: () => Settings;
  names: RefusalNames;
  showTray: (model: TrayModel) => void;
  showTaskbar: (model: TaskbarModel) => void;
  setBadge: (count: number) => void;
}

/** Keeps tray, task bar and badge up to date. It queries the history after changes, at most four times a second. */
export function createIconUpdates(parts: IconUpdatesParts): { changed(): void; close(): void } {
  let isClosed = false;
  const work = new WorkProgress();
  // The history reports itself that it cannot be read. The tray stays as it is.
  const drawing = createThrottle({
    clock: parts.clock,
    gapMs: redrawEveryMs,
    run: () => draw().catch(() => undefined),
  });

  const endOfQuiet = new Alarm(parts.clock, drawing.request);

  /** The menu shows "Do not disturb", which ends at its time without any other change. */
  function redrawAtEndOf(quiet: DoNotDisturb): void {
    const endsMs = quiet.untilMs;
    if (endsMs !== null && isUndisturbed(quiet, parts.clock.now())) endOfQuiet.set(endsMs);
    else endOfQuiet.cancel();
  }

  async function draw(): Promise<void> {
    const page = await parts.history.list(emptyFilter, null, newestRead);
    if (isClosed) return;
    const settings = parts.settings();
    redrawAtEndOf(settings.doNotDisturb);
    const { all, byConnection } = parts.counts();
    const counts = settings.hasFailureBadge ? all : { ...all, failedUnseen: 0 };
    const tracker = parts.trackerState();
    const live = parts.liveJobs().reverse();
    const tray = trayModel({
      counts,
      failures: Object.entries(settings.hasFailureBadge ? byConnection : {})
        .filter(([, { failedUnseen }]) => failedUnseen > 0)
        .map(([id, { failedUnseen }]) => ({ id, name: parts.names.connectionName(id), count: failedUnseen }))
        .toSorted((one, other) => other.count - one.count),
      live,
      recent: page.jobs,
      isPaused: tracker.isPaused,
      isUndisturbed: isUndisturbed(settings.doNotDisturb, parts.clock.now()),
      outcomeUnknown: tracker.outcomeUnknown,
      refusals: refusalsOf(tracker).map((refusal) => refusalLine(refusal, parts.names)),
      connections: tracker.connections.map(({ connectionId: id }) => ({ id, name: parts.names.connectionName(id) })),
      settings,
      isOffline: tracker.connections.some((connection) => connection.state.kind === 'offline'),
    });
    parts.showTray(tray);
    parts.showTaskbar(taskbarModel(tray, work.share(live.map(({ key }) => key))));
    parts.setBadge(counts.failedUnseen);
  }

  return {
    changed() {
      if (!isClosed) drawing.request();
    },
    close() {
      isClosed = true;
      drawing.cancel();
      endOfQuiet.cancel();
    },
  };
}
