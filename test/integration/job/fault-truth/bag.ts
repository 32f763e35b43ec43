import { createSeededRandom } from '../../../../src-main/sandbox/seeded-random.ts';
import type { Run } from '../one-clock/played-jobs.ts';
import type { JobPlan } from '../one-clock/scene.ts';

/** What the user does with a job besides submitting it. */
export type RequestCandidate = 'cancel early' | 'cancel late' | 'retry';

export interface BaggedJob {
  plan: JobPlan;
  /** After the start of the bag. */
  submitAtMs: number;
  candidate: RequestCandidate | null;
}

interface Kind {
  kind: 'plain' | 'stream';
  /** For each of its runs. Default: one that ends well. */
  fails?: boolean[];
  candidate?: RequestCandidate;
  operation?: 'runsync';
  /** The service deletes it while it runs. */
  ttlMs?: number;
  count: number;
}

const secondMs = 1_000;

/**
 * A mixed bag of jobs: plain and streaming ones that end well or fail. Some are cancelled, retried, sent by runsync, or
 * ended by their ttl.
 */
export function packBag(seed: number): BaggedJob[] {
  const random = createSeededRandom(seed);
  const between = (min: number, max: number): number => Math.round(min + random() * (max - min));

  function run(marker: string, number: number, { kind, ttlMs }: Pick<Kind, 'kind' | 'ttlMs'>, isFailing: boolean): Run {
    // A job that its ttl ends would run beyond it.
    const durationMs = ttlMs === undefined ? between(secondMs, 20 * secondMs) : ttlMs + between(0, ttlMs);
    const count = kind === 'plain' ? 0 : between(4, 12);
    const times = Array.from({ length: count }, () => between(0, durationMs)).toSorted((a, b) => a - b);
    return {
      durationMs,
      chunks: kind === 'plain' ? null : times.map((atMs, index) => ({ atMs, value: { marker, number, index } })),
      end: isFailing
        ? { command: 'fail', message: `${marker} failed at run ${number}` }
        : { command: 'return', value: { marker, number } },
    };
  }

  const kinds: Kind[] = [
    { kind: 'plain', count: 7 },
    { kind: 'stream', count: 7 },
    { kind: 'plain', fails: [true], count: 2 },
    { kind: 'stream', fails: [true], count: 2 },
    { kind: 'plain', candidate: 'cancel early', count: 2 },
    { kind: 'stream', candidate: 'cancel late', count: 2 },
    { kind: 'plain', fails: [true, false], candidate: 'retry', count: 2 },
    { kind: 'stream', fails: [true, false], candidate: 'retry', count: 2 },
    { kind: 'plain', fails: [true, true], candidate: 'retry', count: 1 },
    { kind: 'plain', operation: 'runsync', count: 3 },
    { kind: 'stream', operation: 'runsync', count: 1 },
    { kind: 'stream', ttlMs: 30 * secondMs, count: 2 },
    { kind: 'stream', ttlMs: 100 * secondMs, count: 1 },
    { kind: 'plain', ttlMs: 20 * secondMs, count: 1 },
  ];
  const bag = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  const order = bag.map((job) => ({ job, at: random() })).toSorted((a, b) => a.at - b.at);
  let submitAtMs = 0;
  return order.map(({ job }, index) => {
    const marker = `job ${index + 1}`;
    submitAtMs += between(0, 1_500);
    return {
      submitAtMs,
      candidate: job.candidate ?? null,
      plan: {
        marker,
        draft: {
          endpointId: job.kind === 'plain' ? 'plain' : 'llm',
          operation: job.operation ?? 'run',
          ...(job.ttlMs === undefined ? {} : { policy: { ttl: job.ttlMs } }),
        },
        runs: (job.fails ?? [false]).map((isFailing, number) => run(marker, number + 1, job, isFailing)),
      },
    };
  });
}
