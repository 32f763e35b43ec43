import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../../../src-main/job/store/outbox.ts';
import { aJob } from '../../../kit/a-job.ts';

const anyJob = fc.record({
  key: fc.integer({ min: 0, max: 40 }).map((number) => `k${String(number).padStart(3, '0')}`),
  phase: fc.constantFrom(
    'waiting' as const,
    'waiting' as const,
    'submitting' as const,
    'active' as const,
    'finished' as const,
  ),
});

describe('the outbox', () => {
  it('contains waiting jobs by destination, in order, whatever order they came in', () => {
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 80 }), (changes) => {
        const outbox = new Outbox();
        const waiting = new Map<string, string>();
        for (const { key, phase } of changes) {
          // Where a job goes never changes; here its key says it.
          const number = Number(key.slice(1));
          const job = aJob({
            key,
            phase,
            endpointId: number % 2 === 0 ? 'a' : 'b',
            operation: number % 3 === 0 ? 'runsync' : 'run',
            batchId: number % 5 === 0 ? 'batch' : null,
          });
          outbox.note(job);
          if (phase === 'waiting') waiting.set(key, `${job.endpointId} ${job.operation} ${job.batchId}`);
          else waiting.delete(key);
        }
        const expected = Object.fromEntries(
          [...Map.groupBy(waiting, ([, place]) => place)].map(([place, jobs]) => [
            place,
            jobs.map(([key]) => key).toSorted(),
          ]),
        );
        const held = Object.fromEntries(
          [...outbox.queues()].map(({ endpointId, operation, batchId, keys }) => [
            `${endpointId} ${operation} ${batchId}`,
            [...keys],
          ]),
        );
        expect(held).toEqual(expected);
      }),
    );
  });
});
