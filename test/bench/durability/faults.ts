import type { FaultOperation, FaultRule } from '../../../src-main/sandbox/faults/faults.ts';

/**
 * Faults while the app runs: about a fifth of all requests is answered with an error, reset or corrupted. More are
 * late, or report an older or unknown status. Stream replies sometimes repeat from the first chunk, or contain each
 * chunk twice.
 */
const stumbles: readonly FaultRule[] = [
  { kind: 'status', status: 500, probability: 0.05 },
  { kind: 'html', status: 502, probability: 0.02 },
  { kind: 'status', status: 429, retryAfterS: 1, probability: 0.005 },
  { kind: 'reset', probability: 0.03 },
  { kind: 'truncated-json', probability: 0.03 },
  { kind: 'invalid-json', probability: 0.02 },
  // The service did it, and its answer was lost.
  { kind: 'drop-after-accept', probability: 0.02 },
  { kind: 'delay', delayMs: 300, probability: 0.05 },
  { kind: 'late-in-progress', probability: 0.05 },
  { kind: 'unknown-status', probability: 0.03 },
  { kind: 'replay-chunks', probability: 0.1 },
  { kind: 'duplicate-chunks', probability: 0.1 },
];

/** Answers that seem to say that something is over. */
const strangeAnswers: readonly FaultRule[] = [
  ...[400, 401, 403, 404, 408, 409, 410, 425, 302, 303].map((status): FaultRule => ({ kind: 'status', status })),
  ...[200, 401, 404].map((status): FaultRule => ({ kind: 'html', status })),
  { kind: 'status', status: 302, isProcessed: true },
  { kind: 'html', status: 404, isProcessed: true },
  { kind: 'deep' },
  { kind: 'large' },
  { kind: 'huge' },
  { kind: 'compressed' },
];
/** The share of each strange answer, while they come individually. */
const share = 0.003;
const lastingOperations: readonly FaultOperation[] = ['status', 'stream', 'health', 'runsync'];

/** The faults of one folder: stumbles, single strange answers, a strange answer for ten seconds, and one that stays. */
export function faultsOf(random: () => number): FaultRule[] {
  const one = <T>(list: readonly T[]): T[] => list.slice(Math.floor(random() * list.length)).slice(0, 1);
  const fromMs = (): number => Math.floor(random() * 15_000);
  return [
    ...one(strangeAnswers).map((rule) => ({ ...rule, fromMs: fromMs(), forMs: 10_000 })),
    ...one(strangeAnswers).flatMap((rule) =>
      one(lastingOperations).map((operation) => ({ ...rule, operation, fromMs: fromMs(), forMs: 300_000 })),
    ),
    ...stumbles,
    ...strangeAnswers.map((rule) => ({ ...rule, probability: share })),
  ];
}
