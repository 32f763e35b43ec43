import type { Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';

/** Printed lines are large, so they are not cached when nothing shows them. Events say when there are more. */
export const printedCaching = { unusedMs: 0, isKeptByEvents: true } as const;

/** Whether the job's handler printed something. Undefined: not read yet. Only the sandbox tells what handlers print. */
export function useHasPrinted(job: Job): boolean | undefined {
  const isOfRealService = useSession(({ connections }) =>
    connections.some(({ id, isSandbox }) => id === job.connectionId && !isSandbox),
  );
  const { data, error } = useCall('job:printedLines', isOfRealService ? null : { key: job.key }, printedCaching);
  if (isOfRealService) return false;
  return error !== null ? true : data === undefined ? undefined : data !== null;
}
