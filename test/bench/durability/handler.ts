import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../../src-main/sandbox/workers/handlers/job.ts';

/**
 * The worker of the durability bench. It prints its marker first, so that the bench knows which intents the service ran
 * and how often. Input: `marker`, `pause_ms` before each step, then `chunks` to stream, `result` to return or `error`
 * to fail with.
 */
export function handler({ input }: Job): unknown {
  const { marker, chunks, result } = input;
  const error = typeof input['error'] === 'string' ? new Error(input['error']) : null;
  const pauseMs = Number(input['pause_ms'] ?? 0);
  // The only output of a handler that the service does not send to clients.
  process.stdout.write(`${String(marker)}\n`);

  async function* streamed(values: unknown[]): AsyncGenerator<unknown> {
    for (const value of values) {
      await sleep(pauseMs);
      yield value;
    }
    if (error !== null) throw error;
  }
  async function returned(): Promise<unknown> {
    await sleep(pauseMs);
    if (error !== null) throw error;
    return result;
  }
  return Array.isArray(chunks) ? streamed(chunks) : returned();
}
