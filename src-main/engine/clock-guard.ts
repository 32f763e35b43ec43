import { z } from 'zod';
import { hourMs } from '../../src-preload/durations.ts';
import type { ClockDoubt } from '../../src-preload/storage.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import {
  believedGapMs,
  doubtOf,
  newClockRecord,
  noteReading,
  noteServiceDate,
  noteUser,
  type ClockRecord,
  type DoubtedSpan,
  type ClockReading,
  type ServiceDate,
} from '../time/clock-record.ts';

const timeMs = z.number().nullable();
const recordKind = {
  kind: 'clock',
  schema: z.object({
    knownMs: timeMs,
    aheadFromMs: timeMs,
    confirmedMs: timeMs,
    confirmedBy: z.string().nullable(),
    // Records of former versions have no bounds.
    doubted: z.array(z.object({ fromMs: z.number(), toMs: z.number(), endedByMs: timeMs.default(null) })),
  }),
  id: byName,
};
const recordId = 'this-computer';
/** While nothing else changes, the record is saved this often. */
const saveEveryMs = hourMs;

export interface ClockGuardParts {
  documents: Documents;
  clock: Pick<Clock, 'now'>;
  /** The days of the retention rule. Null: it has none. */
  afterDays: () => number | null;
  /** The clock was doubted, and is not any longer. */
  onBelieved: () => void;
  log: Log;
}

/** Whether the clock of this computer is believed when something is deleted by its age (docs/decisions/088). */
export interface ClockGuard {
  /** Reads the clock. Why it is not believed, or null. */
  doubt(): ClockDoubt | null;
  /** When it was doubted, oldest first: what ended then may be younger than it seems. */
  doubtedSpans(): readonly DoubtedSpan[];
  /** A service answered, with its own date if it gave one. */
  noteAnswer(date: ServiceDate | null): void;
  /** The user confirms the date of this computer. */
  confirm(): void;
  /** Saves what is known. */
  close(): Promise<void>;
}

/** Opens the guard with what earlier runs knew. */
export async function openClockGuard(parts: ClockGuardParts): Promise<ClockGuard> {
  const { clock, log } = parts;
  const records = openCollection<ClockRecord>(parts.documents, recordKind);
  const saves = createSerialQueue();
  let record = (await records.read(recordId)) ?? newClockRecord;
  let saved = record;
  let lastReadMs = clock.now();
  let wasDoubted = false;

  function note(change: (reading: ClockReading, gapMs: number) => ClockRecord): ClockDoubt | null {
    const gapMs = believedGapMs(parts.afterDays());
    const nowMs = clock.now();
    record = change({ sinceMs: lastReadMs, nowMs }, gapMs);
    lastReadMs = nowMs;
    const doubt = doubtOf(record, nowMs, gapMs);
    if (isWorthSaving(record, saved)) void save();
    if (!wasDoubted && doubt !== null) log.warn('The clock is doubted; nothing is deleted by age', { ...doubt });
    const isBelievedAgain = wasDoubted && doubt === null;
    wasDoubted = doubt !== null;
    if (isBelievedAgain) parts.onBelieved();
    return doubt;
  }

  function save(): Promise<void> {
    saved = record;
    return saves.run(() =>
      records.put(recordId, saved).catch((error: unknown) => {
        log.warn('What is known of the clock could not be saved', { detail: errorText(error) });
      }),
    );
  }

  const read = (): ClockDoubt | null => note((reading, gapMs) => noteReading(record, reading, gapMs));
  read();
  return {
    doubt: read,
    doubtedSpans: () => record.doubted,
    noteAnswer(date) {
      if (date === null) read();
      else note((reading, gapMs) => noteServiceDate(record, reading, date, gapMs));
    },
    confirm: () => void note(({ nowMs }) => noteUser(record, nowMs)),
    close: save,
  };
}

function isWorthSaving(record: ClockRecord, saved: ClockRecord): boolean {
  return (
    record.aheadFromMs !== saved.aheadFromMs ||
    record.doubted.length !== saved.doubted.length ||
    record.doubted.some(({ endedByMs }, index) => endedByMs !== saved.doubted[index]?.endedByMs) ||
    isFar(record.knownMs, saved.knownMs) ||
    isFar(record.doubted.at(-1)?.toMs ?? null, saved.doubted.at(-1)?.toMs ?? null)
  );
}

function isFar(oneMs: number | null, otherMs: number | null): boolean {
  return Math.abs((oneMs ?? 0) - (otherMs ?? 0)) >= saveEveryMs;
}
