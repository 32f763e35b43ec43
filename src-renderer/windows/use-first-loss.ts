import { useEffect, useState } from 'react';
import type { Closure } from '../../src-preload/app.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import { call } from '../bridge.ts';
import { lossAtMs } from '../data/closures.ts';

const readEveryMs = 30_000;
const jobsRead = 500;

/** What is refused of a connection: operations of endpoints, or with null all of it. */
export type Refused = readonly Pick<Closure, 'endpointId' | 'operation'>[] | null;

const everything: ReadonlySet<string> = new Set(['status', 'stream']);

/**
 * When a result of the connection's newest live jobs may be lost at the earliest while this is refused; null where none
 * is at stake.
 */
export function useFirstLoss(connectionId: string, refused: Refused): number | null {
  const [lossMs, setLoss] = useState<number | null>(null);
  const named =
    refused === null ? null : refused.map(({ endpointId, operation }) => `${endpointId} ${operation}`).join('\n');
  useEffect(() => {
    let isLeft = false;
    const closed = closedBy(named);
    const read = async (): Promise<void> => {
      const page = await call('job:list', {
        filter: { ...emptyFilter, connectionId, view: 'active' },
        beforeKey: null,
        limit: jobsRead,
      });
      if (isLeft || !page.ok) return;
      const losses = page.value.jobs
        .map((job) => lossAtMs(job, closed(job.endpointId)))
        .filter((atMs) => atMs !== null);
      setLoss(losses.length === 0 ? null : Math.min(...losses));
    };
    void read();
    const timer = setInterval(() => void read(), readEveryMs);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [connectionId, named]);
  return lossMs;
}

const nothing: ReadonlySet<string> = new Set();

function closedBy(named: string | null): (endpointId: string) => ReadonlySet<string> {
  if (named === null) return () => everything;
  const byEndpoint = Map.groupBy(
    named.split('\n').map((line) => line.split(' ')),
    ([endpointId]) => endpointId ?? '',
  );
  return (endpointId) => {
    const lines = byEndpoint.get(endpointId);
    return lines === undefined ? nothing : new Set(lines.map(([, operation]) => operation ?? ''));
  };
}
