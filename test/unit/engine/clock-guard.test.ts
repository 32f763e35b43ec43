import { expect, it } from 'vitest';
import { openClockGuard, type ClockGuard } from '../../../src-main/engine/clock-guard.ts';
import { createLog } from '../../../src-main/log.ts';
import { dayMs } from '../../../src-preload/durations.ts';

const todayMs = Date.UTC(2026, 10, 24);
const place = 'clock/this-computer';

function open(kept: Map<string, string>, nowMs: number): Promise<ClockGuard> {
  return openClockGuard({
    documents: {
      documents: () => Promise.resolve([]),
      removeDocument: () => Promise.resolve(),
      readDocument: (kind, id) => Promise.resolve(kept.get(`${kind}/${id}`) ?? null),
      putDocument: (kind, id, json) => Promise.resolve(void kept.set(`${kind}/${id}`, json)),
    },
    clock: { now: () => nowMs },
    afterDays: () => 30,
    onBelieved: () => undefined,
    log: createLog({ write: () => undefined, now: () => nowMs }),
  });
}

it('imports a former version’s knowledge of the clock, and saves immediately by when the doubted outputs had ended', async () => {
  const former = { knownMs: todayMs, aheadFromMs: null, confirmedMs: null, confirmedBy: null };
  const kept = new Map([[place, JSON.stringify({ ...former, doubted: [{ fromMs: 0, toMs: dayMs }] })]]);
  const guard = await open(kept, todayMs);
  expect(guard.doubtedSpans()).toEqual([{ fromMs: 0, toMs: dayMs, endedByMs: null }]);
  guard.noteAnswer({ host: 'queue.example', dateMs: todayMs });
  await new Promise(setImmediate);
  // Another run, as after a crash of this one.
  const bounded = [{ fromMs: 0, toMs: dayMs, endedByMs: todayMs + dayMs }];
  expect((await open(kept, todayMs)).doubtedSpans()).toEqual(bounded);
});
