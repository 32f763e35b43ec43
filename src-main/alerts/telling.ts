import type { AlertRecord, AlertTelling } from '../../src-preload/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { isQuiet, nextMinute } from './quiet-hours.ts';

/** Notifications come no closer together than this. */
export const tellEveryMs = 60_000;

/** What is still to be told: a record by its id, and what was decided of it. */
export interface TellingPlan {
  /** Records whose telling is another than before. Those that are told now are not among them. */
  changes: { id: string; telling: AlertTelling }[];
  /** To be shown now in one notification, in the order they fired, with how each counts as told. */
  now: { id: string; telling: AlertTelling }[];
  /** When to plan again though nothing new fires; null: not before. */
  wakeAtMs: number | null;
}

export interface TellingInput {
  /** Records not told yet. */
  untold: readonly Pick<AlertRecord, 'id' | 'firedAtMs' | 'telling'>[];
  settings: Pick<Settings, 'notifyOn' | 'quietHours' | 'digest'>;
  /** Whether its endpoint is muted. */
  isMuted: (alert: Pick<AlertRecord, 'id'>) => boolean;
  /** When a notification was shown last; null: never. */
  lastToldAtMs: number | null;
  nowMs: number;
  minuteOf?: (atMs: number) => number;
}

/** True until a telling is decided for good. */
export function isUntold(telling: AlertTelling): boolean {
  return telling === 'due' || telling === 'held' || telling === 'gathered';
}

/**
 * What of the untold alerts is shown now, kept for later or never shown. Pure. At most one notification a minute;
 * nothing in quiet hours, and all of it at once after them; with a digest, what fires is gathered from the first on for
 * the period, then told together.
 */
export function planTelling({ untold, settings, isMuted, lastToldAtMs, nowMs, minuteOf }: TellingInput): TellingPlan {
  const changes: TellingPlan['changes'] = [];
  const become = (record: TellingInput['untold'][number], telling: AlertTelling): void => {
    if (record.telling !== telling) changes.push({ id: record.id, telling });
  };
  if (settings.notifyOn === 'nothing') {
    for (const record of untold) become(record, 'off');
    return { changes, now: [], wakeAtMs: null };
  }
  const muted = untold.filter(isMuted);
  for (const record of muted) become(record, 'muted');
  const open = untold.filter((record) => !muted.includes(record)).toSorted((a, b) => a.firedAtMs - b.firedAtMs);
  if (open.length === 0) return { changes, now: [], wakeAtMs: null };
  if (isQuiet(settings.quietHours, nowMs, minuteOf)) {
    for (const record of open) become(record, 'held');
    return { changes, now: [], wakeAtMs: nextMinute(settings.quietHours, 'loud', nowMs, minuteOf) };
  }

  const digestMs = settings.digest.isOn ? settings.digest.everyMinutes * 60_000 : null;
  const held = open.filter(({ telling }) => telling === 'held');
  const rest = open.filter(({ telling }) => telling !== 'held');
  // What fired later than now did so by a clock that was put back since: nobody knows how long ago.
  const digestAtMs =
    digestMs === null || rest[0] === undefined
      ? null
      : rest[0].firedAtMs > nowMs
        ? nowMs
        : rest[0].firedAtMs + digestMs;
  const isDigestDue = digestAtMs === null || nowMs >= digestAtMs || held.length > 0;
  const tellable = isDigestDue ? open : held;
  if (!isDigestDue) for (const record of rest) become(record, 'gathered');
  const openAtMs = lastToldAtMs === null || lastToldAtMs > nowMs ? -Infinity : lastToldAtMs + tellEveryMs;
  if (tellable.length > 0 && nowMs >= openAtMs) {
    const told = (telling: AlertTelling): AlertTelling =>
      telling === 'held' ? 'after-quiet-hours' : digestMs !== null ? 'in-digest' : 'notified';
    return {
      changes,
      now: tellable.map(({ id, telling }) => ({ id, telling: told(telling) })),
      wakeAtMs: isDigestDue ? null : digestAtMs,
    };
  }
  if (isDigestDue) for (const record of rest) become(record, digestMs === null ? 'due' : 'gathered');
  return { changes, now: [], wakeAtMs: Math.max(openAtMs, isDigestDue ? nowMs : (digestAtMs ?? nowMs)) };
}
