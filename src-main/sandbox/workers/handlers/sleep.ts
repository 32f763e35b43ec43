import { setTimeout as delay } from 'node:timers/promises';
import type { HandlerContext, Job } from './job.ts';

/** Waits `delayMs` of the service's time; rejects at once when the job is stopped. */
export async function sleep(delayMs: number, { signal }: Job, { timeScale }: HandlerContext): Promise<void> {
  await delay(delayMs / timeScale, undefined, { signal });
}
