import { poll, readStatus } from './jobs.ts';
import { must } from './rule.ts';
import type { Service } from './service.ts';

/** Advances the service's time to this moment. */
export async function passUntil(service: Service, atMs: number): Promise<void> {
  const leftMs = atMs - service.time.now();
  if (leftMs > 0) await service.time.pass(leftMs);
}

/** A measurable span here, and not shorter than `minMs`. */
export function spanOf(service: Service, minMs: number): number {
  return Math.max(minMs, Math.ceil(service.time.toleranceMs * 10));
}

/** The job is there, in this state when one is given. */
export async function mustBeThere(service: Service, job: string, when: string, state?: string): Promise<void> {
  const { status } = await readStatus(service, job).catch(() => ({ status: 'gone' }));
  must(status !== 'gone', `${when} the job is gone`);
  must(state === undefined || status === state, `${when} the job is ${String(status)} instead of ${String(state)}`);
}

/** Status of the job answers 404, if not at once then within what readings of time are off by. */
export async function mustBeGone(service: Service, job: string, when: string): Promise<void> {
  let last = 0;
  const read = async (): Promise<true | null> => {
    last = (await service.call('status', { job })).status;
    return last === 404 ? true : null;
  };
  const gone = await poll(service, read, service.time.toleranceMs * 2);
  must(gone === true, `${when} status of the job is answered ${last} instead of 404`);
  service.unfinished.delete(job);
}
