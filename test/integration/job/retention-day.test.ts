import { afterAll, expect, it } from 'vitest';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { planDay } from './retention-day/day-plan.ts';
import { liveDay, stillLive } from './retention-day/live-day.ts';
import { judgeDay } from './retention-day/verdict.ts';

afterAll(removeEngineFolders);

// The figures of each day (saved, expired, requests by operation) are printed by `--reporter verbose`.
const hours = playsAll ? 24 : 12;

it.for(playsAll ? [1, 2, 3] : [2])(
  `${hours} hours with the app offline at random for up to 25 minutes lose no result that was available for a minute (seed %i)`,
  { timeout: 180_000 },
  async (seed, { annotate }) => {
    const day = planDay(seed, hours);
    const lived = await liveDay(day, seed);
    try {
      const { figures, complaints } = await judgeDay(day.plans, lived);
      await annotate(JSON.stringify({ ...figures, asked: lived.asked }), 'figures');
      expect(complaints).toEqual([]);
      expect(figures.saved).toBeGreaterThan(6 * hours);
      expect(stillLive(lived)).toEqual([]);
      // Nothing is timed but when jobs that were called gone before their ttl can have ended them are asked about
      // again.
      expect(lived.scene.clock.engineTimers()).toBe(figures.expired > figures.endedByTtl ? 1 : 0);
    } finally {
      await lived.scene.close();
    }
  },
);
