import { expect, it } from 'vitest';
import { createEngineEvents, createNews } from '../../../src-main/engine/engine-events.ts';
import { keepRetention } from '../../../src-main/engine/retention.ts';
import { createLog } from '../../../src-main/log.ts';
import { hourMs, minuteMs } from '../../../src-preload/durations.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import { createVirtualClock } from '../../kit/clock.ts';

/** Retention without a rule of the user's, over a bin that refuses to be opened while `isRefusing`. */
function retentionOver(bin: { jobs: number; isRefusing: boolean }) {
  const clock = createVirtualClock();
  const logged: string[] = [];
  const log = createLog({ write: (line) => logged.push(line), now: clock.now });
  let compactions = 0;
  keepRetention({
    parts: { clock, news: createNews(() => undefined), log },
    history: {
      forgetBodies: async () => ({ forgotten: [], next: null }),
      reclaimSpace: async () => {
        compactions += 1;
        return false;
      },
      emptyLogs: async () => true,
      expireBinned: async () => {
        if (bin.isRefusing) throw new Error('the bin cannot be opened');
        const removed = bin.jobs;
        bin.jobs = 0;
        return { removed, isMore: false, oldestMs: null };
      },
      measureStorage: () => Promise.reject(new Error('not asked')),
      countForgettable: () => Promise.reject(new Error('not asked')),
      compact: () => Promise.reject(new Error('not asked')),
    },
    settings: { current: () => settingsDefaults },
    clockGuard: { doubt: () => null, doubtedSpans: () => [], confirm: () => undefined },
    jobNews: { changed: () => undefined },
    events: createEngineEvents(log),
    closing: { later: () => undefined },
  });
  return { clock, logged, compactions: () => compactions };
}

it('tries again after an hour what the disk refused, and then sets no timer', async () => {
  const bin = { jobs: 3, isRefusing: true };
  const { clock, logged, compactions } = retentionOver(bin);
  await clock.advance(minuteMs);
  expect(logged.join('\n')).toContain('the bin cannot be opened');
  bin.isRefusing = false;
  await clock.advance(hourMs - 1);
  expect(bin.jobs).toBe(3);
  await clock.advance(1);
  expect(bin.jobs).toBe(0);
  expect(compactions()).toBe(1);
  expect(clock.pending()).toBe(0);
});
