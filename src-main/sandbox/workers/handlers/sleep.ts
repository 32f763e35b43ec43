import { setTimeout as delay } from 'node:timers/promises';

/** Waits on the thread's real time; rejects at once when the job is stopped. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal });
}
