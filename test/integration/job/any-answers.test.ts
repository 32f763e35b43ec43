import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import { passing } from './ordinary-answers.ts';
import type { Answer } from './ordinary-answers.ts';
import { createScriptedService } from './scripted-service.ts';

const minuteMs = 60_000;
const retentionMs = 30 * minuteMs;

afterAll(removeEngineFolders);

/** One operation answers badly for a while. */
interface BadSpell {
  operation: 'status' | 'stream' | 'health';
  answer: Answer;
  fromMs: number;
  forMs: number;
}

const anySpell: fc.Arbitrary<BadSpell> = fc.record({
  operation: fc.constantFrom('status', 'stream', 'health'),
  answer: fc.constantFrom(...passing.map(([, answer]) => answer)),
  fromMs: fc.integer({ min: 0, max: 25 * minuteMs }),
  forMs: fc.oneof(fc.constant(1_000), fc.integer({ min: 1_000, max: 15 * minuteMs })),
});

it('whatever the service answers for a while: the result and every chunk still available at the end are on disk', async () => {
  const anyChunksAtMs = fc.array(fc.integer({ min: 0, max: 10 * minuteMs }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySpell, { maxLength: 8 }),
      anyChunksAtMs,
      fc.integer({ min: 0, max: 10 * minuteMs }),
      async (spells, chunksAtMs, endsAfterMs) => {
        let nowMs = (): number => 0;
        let drained = 0;
        const made = chunksAtMs.map((atMs) => Math.min(atMs, endsAfterMs)).toSorted((a, b) => a - b);
        // Its result leaves some minutes after the last of them is over.
        const lastGoodMs = endsAfterMs + retentionMs - 7 * minuteMs;
        const badAt = (operation: BadSpell['operation']): Answer | null =>
          spells.find(
            (spell) =>
              spell.operation === operation &&
              nowMs() >= spell.fromMs &&
              nowMs() < Math.min(spell.fromMs + spell.forMs, lastGoodMs),
          )?.answer ?? null;

        const service = await createScriptedService({
          status: [
            () =>
              badAt('status') ?? {
                body: {
                  id: 'job-1',
                  ...(nowMs() < endsAfterMs
                    ? { status: 'IN_PROGRESS' }
                    : { status: 'COMPLETED', output: { kept: true } }),
                },
              },
          ],
          stream: [
            () => {
              const bad = badAt('stream');
              if (bad !== null) return bad;
              const fresh = made.slice(drained).filter((atMs) => atMs <= nowMs());
              drained += fresh.length;
              return { body: fresh.map((_, index) => ({ output: { index: drained - fresh.length + index } })) };
            },
          ],
          health: [
            () =>
              badAt('health') ?? {
                body: {
                  jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 },
                  workers: { idle: 0, running: 1 },
                },
              },
          ],
        });
        const { engine, clock } = await startStillEngine({ connections: to(service) });
        try {
          const startMs = clock.now();
          nowMs = () => clock.now() - startMs;
          const { key } = await engine.submit({});
          await clock.advance(endsAfterMs + retentionMs + 10 * minuteMs);
          expect(await engine.output(key)).toEqual({ kept: true });
          expect((await engine.chunks(key)).map(({ outputJson }) => outputJson)).toEqual(
            made.map((_, index) => JSON.stringify({ index })),
          );
          expect((await engine.history.get(key))?.job).toMatchObject({
            phase: 'finished',
            status: 'COMPLETED',
            isWithoutOutput: false,
          });
          expect(service.count('run')).toBe(1);
        } finally {
          await engine.close();
          await service.close();
        }
      },
    ),
    { numRuns: 15 },
  );
}, 240_000);
