import type { Lane } from '../../service/rate-governor.ts';
import type { JobContext } from '../context/job-context.ts';
import type { StatusReads } from './status-reads.ts';

/** The health of an endpoint is read at most once a second, so the first try may find no room. */
const tries = 4;
const tryAgainMs = 1_000;

/**
 * After the first refusal of an operation, one cheap read shows whether it is the key or this operation alone (ruling
 * 35).
 */
export function checkKeyWhenRefused(
  { clock, endpointStates, baseUrlOf, pausing, events, onTrouble }: JobContext,
  statusReads: StatusReads,
): void {
  async function check({ connectionId, endpointId }: Lane): Promise<'done' | 'no-room'> {
    const baseUrl = await baseUrlOf(connectionId);
    if (!baseUrl.ok || pausing.isPaused) return 'done';
    const read = await statusReads.readHealth(endpointStates.of({ connectionId, baseUrl: baseUrl.value, endpointId }));
    return !read.ok && read.failure.kind === 'refused' ? 'no-room' : 'done';
  }

  function run(lane: Lane, left: number): void {
    check(lane)
      .then((came) => {
        if (came === 'no-room' && left > 1 && !pausing.isPaused) clock.after(tryAgainMs, () => run(lane, left - 1));
      })
      .catch(onTrouble);
  }

  events.on('refused', (lane) => {
    if (lane.operation !== 'health') run(lane, tries);
  });
}
