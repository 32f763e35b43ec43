import type { Closure } from '../../src-preload/app.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import { useCall } from '../data/calls.ts';
import { lossAtMs } from '../data/closures.ts';

const readEveryMs = 30_000;
const jobsRead = 500;

/** What the service refuses of a connection: operations of endpoints, or, as null, everything. */
export type Refused = readonly Pick<Closure, 'endpointId' | 'operation'>[] | null;

const everything: ReadonlySet<string> = new Set(['status', 'stream']);

/**
 * The earliest time at which a result of the connection's newest live jobs may be lost while this is refused. Null if
 * none is at risk.
 */
export function useFirstLoss(connectionId: string, refused: Refused): number | null {
  const { data } = useCall(
    'job:list',
    { filter: { ...emptyFilter, connectionId, view: 'active' }, beforeKey: null, limit: jobsRead },
    { everyMs: readEveryMs, isFailureToast: true },
  );
  const losses = (data?.jobs ?? [])
    .map((job) => lossAtMs(job, closedBy(refused, job.endpointId)))
    .filter((atMs) => atMs !== null);
  return losses.length === 0 ? null : Math.min(...losses);
}

function closedBy(refused: Refused, endpointId: string): ReadonlySet<string> {
  return refused === null
    ? everything
    : new Set(refused.filter((one) => one.endpointId === endpointId).map(({ operation }) => operation));
}
