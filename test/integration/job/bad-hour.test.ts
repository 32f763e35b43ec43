import { afterAll, expect, it } from 'vitest';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import { createSeededRandom } from '../../../src-main/sandbox/seeded-random.ts';
import { isLive } from '../../../src-preload/job.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { outputOf } from './one-clock/played-jobs.ts';
import type { Run } from './one-clock/played-jobs.ts';
import { createScene } from './one-clock/scene.ts';
import type { JobPlan } from './one-clock/scene.ts';

afterAll(removeEngineFolders);

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const seed = 1;
const jobCount = playsAll ? 1_000 : 250;

/** What the service answers in turn, three minutes of every fifteen each, and three minutes what it should. */
const turns: readonly FaultRule[] = [
  { kind: 'status', status: 401 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 503 },
  { kind: 'html', status: 404 },
];

/** Submissions are answered as they should be: what became of one that is not is another test's question. */
const badHour: readonly FaultRule[] = [0, 1, 2, 3].flatMap((quarter) =>
  turns.flatMap((turn, at) =>
    (['status', 'stream', 'health', 'cancel', 'retry'] as const).map((operation): FaultRule => ({
      ...turn,
      operation,
      fromMs: (quarter * 15 + at * 3 + 2) * minuteMs,
      forMs: 3 * minuteMs,
    })),
  ),
);

/** Jobs of a few seconds, for which the workers are enough; one in twenty streams, one in twenty fails. */
function planJobs(): JobPlan[] {
  const random = createSeededRandom(seed);
  const between = (min: number, max: number): number => Math.round(min + random() * (max - min));
  return Array.from({ length: jobCount }, (_, index) => {
    const marker = `job ${index + 1}`;
    const durationMs = between(3 * secondMs, 25 * secondMs);
    const steps = [1, 2, 3, 4].map((at) => ({ atMs: Math.round((durationMs * at) / 5), value: { marker, index: at } }));
    const chunks = random() < 0.05 ? steps : null;
    const isFailing = random() < 0.05;
    const end: Run['end'] = isFailing
      ? { command: 'fail', message: `${marker} failed` }
      : { command: 'return', value: { marker } };
    const run: Run = { durationMs, chunks, end };
    return { marker, draft: { endpointId: chunks === null ? 'plain' : 'llm', operation: 'run' }, runs: [run] };
  });
}

it(
  `an hour of 401, 404, 503 and pages in turn loses the result of none of ${jobCount} jobs`,
  { timeout: 600_000 },
  async ({ annotate }) => {
    const scene = await createScene({ seed, endpoints: ['plain', 'llm'], workers: 8, sandbox: { faults: badHour } });
    const { clock, sandbox, played } = scene;
    try {
      const { history } = await scene.open();
      const startMs = clock.now();
      const keys = new Map<string, string>();
      const plans = planJobs();
      for (const [index, plan] of plans.entries()) {
        // Over the whole hour, so that every turn finds some in progress.
        await clock.advanceTo(startMs + Math.floor((index / jobCount) * 58 * minuteMs));
        keys.set(plan.marker, (await scene.submit(plan)).key);
      }
      while ((await history.liveJobs()).length > 0 && clock.now() - startMs < 6 * 60 * minuteMs) {
        await clock.advanceTo(clock.now() + 10 * secondMs);
      }
      const untilMs = clock.now() - startMs;
      // Jobs that were called gone in the last of the bad turns are asked about again.
      await clock.advanceTo(clock.now() + 15 * minuteMs);

      const complaints: string[] = [];
      for (const {
        marker,
        runs: [run],
      } of plans) {
        const key = keys.get(marker) ?? '';
        const job = (await history.get(key))?.job;
        if (job === undefined || isLive(job) || !job.isResultSaved || job.phase !== 'finished') {
          complaints.push(`${marker} is ${job?.phase} ${job?.status} ${job?.goneReason ?? job?.reason?.kind ?? ''}`);
          continue;
        }
        const output = (await history.body(key, 'output', 1, null))?.text ?? null;
        if (output !== outputOf(run)) complaints.push(`${marker} has the output ${output}`);
        const chunks = (await history.chunks(key, 1, 0, 100)).map(({ outputJson }) => outputJson);
        const sent = (run?.chunks ?? []).map(({ value }) => JSON.stringify(value));
        if (chunks.join() !== sent.join()) complaints.push(`${marker} has the chunks ${chunks.join()}`);
      }
      const counts = sandbox.requests();
      const requests = counts.reduce((sum, { count }) => sum + count, 0);
      const answers = counts.map((of) => `${of.endpointId} ${of.operation} ${of.status}: ${of.count}`);
      await annotate(JSON.stringify({ minutes: Math.round(untilMs / minuteMs), requests, answers }), 'figures');
      expect(complaints).toEqual([]);
      expect(counts.filter(({ status }) => status === 429)).toEqual([]);
      expect([...played.fates().values()].map(({ submittedAtMs }) => submittedAtMs).length).toBe(jobCount);
      // No more than that per job, in an hour that is bad for four fifths.
      expect(requests).toBeLessThan(jobCount * 35);
    } finally {
      await scene.close();
    }
  },
);
