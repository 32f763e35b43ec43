import type { FaultRule } from '../../../src-main/sandbox/faults/fault-rule.ts';

/**
 * What goes wrong while the app runs: about a fifth of all requests is answered with an error, reset or spoilt, and more
 * are late or tell an older or stranger status. Stream replies now and then repeat from the first chunk, or tell each chunk twice.
 */
export const faults: readonly FaultRule[] = [
  { kind: 'status', status: 500, probability: 0.06 },
  { kind: 'html', status: 502, probability: 0.02 },
  { kind: 'status', status: 429, retryAfterS: 1, probability: 0.005 },
  { kind: 'reset', probability: 0.04 },
  { kind: 'truncated-json', probability: 0.04 },
  { kind: 'invalid-json', probability: 0.02 },
  // Done by the service, and the answer lost on its way.
  { kind: 'drop-after-accept', probability: 0.03 },
  { kind: 'delay', delayMs: 300, probability: 0.05 },
  { kind: 'late-in-progress', probability: 0.05 },
  { kind: 'unknown-status', probability: 0.03 },
  { kind: 'replay-chunks', probability: 0.1 },
  { kind: 'duplicate-chunks', probability: 0.1 },
];
