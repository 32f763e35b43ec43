import type { Result } from '../../../src-preload/failure.ts';
import type { Lane } from '../../service/rate-governor.ts';
import type { Clock } from '../../time/clock.ts';
import type { EndpointPollingStates } from '../context/endpoint-polling-state.ts';
import type { StatusReads } from './status-reads.ts';

/** The health of an endpoint is read once a second at most, so that the first try may find no room. */
const tries = 4;
const tryAgainMs = 1_000;

export interface KeyCheckParts {
  clock: Clock;
  endpointStates: Pick<EndpointPollingStates, 'of'>;
  statusReads: Pick<StatusReads, 'readHealth'>;
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** False once the engine closes, and while it is paused. */
  mayAsk: () => boolean;
  onTrouble: (error: unknown) => void;
}

/**
 * After the first refusal of an operation: one cheap read tells whether it is the key or this one operation (ruling
 * 35).
 */
export function createKeyCheck({
  clock,
  endpointStates,
  statusReads,
  baseUrlOf,
  mayAsk,
  onTrouble,
}: KeyCheckParts): (refused: Lane) => void {
  async function check({ connectionId, endpointId }: Lane): Promise<'told' | 'no room'> {
    const baseUrl = await baseUrlOf(connectionId);
    if (!baseUrl.ok || !mayAsk()) return 'told';
    const read = await statusReads.readHealth(endpointStates.of({ connectionId, baseUrl: baseUrl.value, endpointId }));
    return !read.ok && read.failure.kind === 'refused' ? 'no room' : 'told';
  }

  function run(lane: Lane, left: number): void {
    check(lane)
      .then((came) => {
        if (came === 'no room' && left > 1 && mayAsk()) clock.after(tryAgainMs, () => run(lane, left - 1));
      })
      .catch(onTrouble);
  }

  return (lane) => {
    if (lane.operation !== 'health') run(lane, tries);
  };
}
