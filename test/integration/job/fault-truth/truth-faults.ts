import type { FaultOperation, FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import { faultDelayMs } from '../one-clock/scene.ts';

/** Faults on the network, or of a service with problems. */
export const stumbles: readonly FaultRule[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503, retryAfterS: 3 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, retryAfterS: 4 },
  { kind: 'html' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'delay', delayMs: faultDelayMs },
  { kind: 'invalid-json' },
  { kind: 'truncated-json' },
  { kind: 'drop-after-accept' },
  { kind: 'late-in-progress' },
  { kind: 'unknown-status' },
  { kind: 'duplicate-chunks' },
  { kind: 'replay-chunks' },
  { kind: 'drop-webhook' },
  { kind: 'clock-skew', skewMs: 7_200_000 },
];

/** Answers that seem to say that something is over, and do not (rulings 9, 34 to 36, 43). */
export const strangeAnswers: readonly FaultRule[] = [
  ...[400, 401, 403, 404, 408, 409, 410, 425, 302, 303, 503].map((status): FaultRule => ({ kind: 'status', status })),
  ...[200, 401, 404, 502].map((status): FaultRule => ({ kind: 'html', status })),
  { kind: 'status', status: 302, isProcessed: true },
  { kind: 'status', status: 409, isProcessed: true },
  { kind: 'html', status: 404, isProcessed: true },
  { kind: 'deep' },
  { kind: 'large', sizeBytes: 1_000_000 },
  // Larger than the played app reads, or compressed more than 500 times over.
  { kind: 'huge', sizeBytes: 5_000_000 },
  { kind: 'compressed', sizeBytes: 2_000_000 },
];

export function nameOf({ kind, status, isProcessed, retryAfterS }: FaultRule): string {
  const isPaced = retryAfterS !== undefined;
  const parts = [kind, status, isProcessed === true ? 'once done' : null, isPaced ? 'with Retry-After' : null];
  return parts.filter((part) => part != null).join(' ');
}

/** The operations of a job's life. */
const operations: readonly FaultOperation[] = ['run', 'runsync', 'status', 'stream', 'cancel', 'retry', 'health'];

/** How long a fault is active, as rules. The bag is submitted in its first half minute. */
export const lengths = {
  'for one answer': (rule: FaultRule): FaultRule[] =>
    [4_000, 12_000, 25_000].flatMap((fromMs) =>
      operations.map((operation) => ({ ...rule, operation, fromMs, times: 1 })),
    ),
  'for ten seconds': (rule: FaultRule): FaultRule[] => [{ ...rule, fromMs: 12_000, forMs: 10_000 }],
  'for five minutes': (rule: FaultRule): FaultRule[] => [{ ...rule, fromMs: 20_000, forMs: 300_000 }],
  'to reads of the stream for five minutes': (rule: FaultRule): FaultRule[] => [
    { ...rule, operation: 'stream', fromMs: 10_000, forMs: 300_000 },
  ],
  'to reads of the status for five minutes': (rule: FaultRule): FaultRule[] => [
    { ...rule, operation: 'status', fromMs: 10_000, forMs: 300_000 },
  ],
} as const;

/** Faults that falsify what a read says. They hit only reads that could say it. */
const falsifying: readonly FaultRule['kind'][] = [
  'late-in-progress',
  'unknown-status',
  'duplicate-chunks',
  'replay-chunks',
  'drop-webhook',
  'clock-skew',
];

/** All of them, so that three in ten requests are hit by one that affects the request or its answer. */
export function together(rules: readonly FaultRule[], probability: number): FaultRule[] {
  const isWhole = ({ kind }: FaultRule): boolean => !falsifying.includes(kind);
  const each = 1 - (1 - probability) ** (1 / rules.filter(isWhole).length);
  return rules.map((rule) => ({ ...rule, probability: isWhole(rule) ? each : probability }));
}
