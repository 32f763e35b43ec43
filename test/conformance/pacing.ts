import type { Time } from './time.ts';

const WINDOW_MS = 10_000;

/**
 * Per operation, what this suite sends in ten seconds at most: the base limits of the table (spec: Limits), with room
 * for calls that the service counts later.
 */
const CALLS_PER_WINDOW: Readonly<Record<string, number>> = {
  run: 800,
  runsync: 1_600,
  status: 1_600,
  stream: 1_600,
  cancel: 80,
  'purge-queue': 2,
  requests: 8,
};

/** Waits before a call where the next one would go over the limit of its operation. */
export function createPacing(time: Time): { before(operation: string): Promise<void> } {
  const callsAtMs = new Map<string, number[]>();
  return {
    before: async (operation) => {
      const limit = CALLS_PER_WINDOW[operation];
      if (limit === undefined) return;
      const sent = (callsAtMs.get(operation) ?? []).filter((atMs) => time.now() - atMs <= WINDOW_MS);
      const oldestMs = sent.at(-limit);
      if (oldestMs !== undefined) await time.pass(oldestMs + WINDOW_MS - time.now() + time.toleranceMs + 1);
      sent.push(time.now());
      callsAtMs.set(operation, sent);
    },
  };
}
