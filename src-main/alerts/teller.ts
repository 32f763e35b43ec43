import type { AlertNotification, AlertRecord } from '../../src-preload/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { wordAlerts } from './alert-words.ts';
import { isUntold, planTelling } from './telling.ts';

/** Keeps alerts, tells them to their user, and remembers those that are not over or not told yet. */
export interface Teller {
  /** Takes up what a former run left. */
  resume(unsettled: readonly AlertRecord[], lastToldAtMs: number | null): void;
  /** Notes that alerts began, or ended; `keep` writes them, and `tell` tells. */
  note(records: readonly AlertRecord[]): void;
  /** Writes what is not on disk yet. What the disk refuses is told all the same, and written the next time. */
  keep(): Promise<void>;
  /** Tells what is to be told now. Answers when to look again; null: not before something fires. */
  tell(): Promise<number | null>;
  /** Writes until when alerts that are not over were seen. */
  keepSeen(firing: readonly Pick<AlertRecord, 'id' | 'lastSeenAtMs'>[]): Promise<void>;
}

export interface TellerParts {
  history: { putAlert(alert: AlertRecord): Promise<void> };
  now: () => number;
  settings: () => Pick<Settings, 'notifyOn' | 'quietHours' | 'digest'>;
  mutedUntilMs: (connectionId: string, endpointId: string) => Promise<number | null>;
  endpointName: (connectionId: string, endpointId: string) => string;
  /** Shows a notification; false where that cannot be, null while nobody is there to show any: it is kept for then. */
  show: (notification: AlertNotification) => boolean | null;
  /** The disk refused. */
  onTrouble: (error: unknown) => void;
}

export function createTeller({
  history,
  now,
  settings,
  mutedUntilMs,
  endpointName,
  show,
  onTrouble,
}: TellerParts): Teller {
  /** Not over, or not told yet. */
  const open = new Map<string, AlertRecord>();
  /** Of these something is not on disk. */
  const unkept = new Set<string>();
  let lastToldAtMs: number | null = null;

  function change(record: AlertRecord): void {
    open.set(record.id, record);
    unkept.add(record.id);
  }

  async function keep(): Promise<void> {
    for (const id of unkept) {
      const record = open.get(id);
      unkept.delete(id);
      if (record === undefined) continue;
      try {
        await history.putAlert(record);
      } catch (error) {
        unkept.add(id);
        onTrouble(error);
        return;
      }
      if (open.get(id) === record && record.endedAtMs !== null && !isUntold(record.telling)) open.delete(id);
    }
  }

  async function mutedIds(untold: readonly AlertRecord[], nowMs: number): Promise<Set<string>> {
    const muted = new Set<string>();
    for (const { id, connectionId, endpointId } of untold)
      if (((await mutedUntilMs(connectionId, endpointId)) ?? 0) > nowMs) muted.add(id);
    return muted;
  }

  return {
    resume(unsettled, toldAtMs) {
      for (const record of unsettled) open.set(record.id, record);
      lastToldAtMs = toldAtMs;
    },

    note(records) {
      for (const record of records) {
        // How it was told is known here only.
        const before = open.get(record.id);
        change(
          before === undefined
            ? record
            : {
                ...before,
                endedAtMs: record.endedAtMs,
                isEndExact: record.isEndExact,
                lastSeenAtMs: record.lastSeenAtMs,
              },
        );
      }
    },

    keep,

    async tell() {
      const nowMs = now();
      const untold = [...open.values()].filter(({ telling }) => isUntold(telling));
      const muted = await mutedIds(untold, nowMs);
      const plan = planTelling({
        untold,
        settings: settings(),
        isMuted: ({ id }) => muted.has(id),
        lastToldAtMs,
        nowMs,
      });
      const decided: { id: string; telling: AlertRecord['telling']; toldAtMs: number | null }[] = plan.changes.map(
        (change) => ({ ...change, toldAtMs: null }),
      );
      const words = wordAlerts(
        plan.now.flatMap(({ id }) => open.get(id) ?? []),
        endpointName,
        localClock,
      );
      const isShown = words === null ? null : show(words);
      if (isShown === true) lastToldAtMs = nowMs;
      if (isShown !== null)
        for (const { id, telling } of plan.now)
          decided.push(isShown ? { id, telling, toldAtMs: nowMs } : { id, telling: 'off', toldAtMs: null });
      for (const { id, telling, toldAtMs } of decided) {
        const record = open.get(id);
        if (record === undefined) continue;
        change({ ...record, telling, toldAtMs });
      }
      // All of it is decided first: what was shown is not shown again because the disk refused one of them.
      await keep();
      return plan.wakeAtMs;
    },

    async keepSeen(firing) {
      for (const { id, lastSeenAtMs } of firing) {
        const record = open.get(id);
        if (record !== undefined && record.lastSeenAtMs < lastSeenAtMs)
          await history.putAlert({ ...record, lastSeenAtMs });
      }
    },
  };
}

/** `14:32` */
function localClock(atMs: number): string {
  const at = new Date(atMs);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}
