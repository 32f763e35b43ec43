import { useEffect } from 'react';
import { useJobs } from '../../data/jobs-store.ts';
import { readFirstCells } from './batch-readers.ts';

/** Beside the list of a batch: reads in an idle moment what its table begins with. Shows nothing. */
export function BatchRowsAhead({ batchId }: { batchId: string }) {
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      const { list } = useJobs.getState();
      readFirstCells(
        batchId,
        [...list.live(), ...list.rest()].flatMap((key) => list.get(key) ?? []),
      );
    });
    return () => cancelIdleCallback(idle);
  }, [batchId]);
  return null;
}
