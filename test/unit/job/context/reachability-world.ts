import { Reachability } from '../../../../src-main/job/context/reachability.ts';
import type { QueueOperation } from '../../../../src-main/service/reply.ts';
import type { Lane } from '../../../../src-main/service/rate-governor.ts';
import type { ConnectionState } from '../../../../src-preload/connection.ts';
import { aFailure } from '../records.ts';

export const unreached = aFailure({ kind: 'network', message: 'Connection refused', mayHaveArrived: false });
export const reset = aFailure({ kind: 'network', message: 'Connection reset' });
export const lane = (operation: QueueOperation, endpointId = 'echo', connectionId = 'main'): Lane => ({
  connectionId,
  endpointId,
  operation,
});
export const status = lane('status');

/** The clock, and what reachability reported. */
export interface World {
  nowMs: number;
  told: ConnectionState[];
  /** Lanes that were refused for the first time. */
  doubted: Lane[];
  /** How often something closed, opened or was tried without success. */
  closuresTold: number;
}

/** Nothing is known of any connection, at 1,000. */
export function aWorld(): { world: World; reachability: Reachability } {
  const world: World = { nowMs: 1_000, told: [], doubted: [], closuresTold: 0 };
  const reachability = new Reachability({
    now: () => world.nowMs,
    random: () => 0.5,
    onChange: (_, state) => world.told.push(state),
    onClosures: () => void (world.closuresTold += 1),
    onRefused: (each) => world.doubted.push(each),
  });
  return { world, reachability };
}

/** One whole exchange that is refused, `afterMs` later. */
export function refuse({ world, reachability }: ReturnType<typeof aWorld>, of: Lane, afterMs = 10): void {
  const requestedAtMs = world.nowMs;
  reachability.sent(of);
  world.nowMs += afterMs;
  reachability.keyRefused(
    of,
    { httpStatus: 403, path: `/v2/${of.endpointId}/${of.operation}`, serviceSaid: null },
    requestedAtMs,
  );
}

/** One whole exchange that is accepted. */
export function take({ reachability }: ReturnType<typeof aWorld>, of: Lane): void {
  reachability.sent(of);
  reachability.accepted(of);
}
