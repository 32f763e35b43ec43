import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import { useBatch } from '../batches/batches.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useSession } from '../data/session-store.ts';

/** The times of the endpoint whose jobs the list shows. Undefined for several endpoints, which have no common times. */
export function useListRunTimes(): RunTimes | undefined {
  const filter = useJobs((state) => state.shownFilter);
  const batch = useBatch(filter?.batchId ?? null);
  const connectionId = filter?.connectionId ?? null;
  const endpointId = filter?.endpointId ?? batch?.endpointId ?? null;
  return useSession((state) =>
    connectionId === null || endpointId === null
      ? undefined
      : state.runTimes[endpointKey({ connectionId, endpointId })],
  );
}
