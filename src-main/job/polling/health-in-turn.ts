import type { Result } from '../../../src-preload/failure.ts';
import type { Health } from '../../../src-preload/health.ts';
import { healthGapMs, type HealthReadOptions } from '../../service/health-reads.ts';
import type { Clock, Timer } from '../../time/clock.ts';

/** Reads health when its endpoint may be read again, instead of failing because that is too soon. */
export interface HealthInTurn {
  /** Fails with `refused` if it may not be read then either, or if Jobdeck closes first. */
  read(connectionId: string, endpointId: string, options?: HealthReadOptions): Promise<Result<Health>>;
  /** Reads that wait for their turn end without a request. */
  close(): void;
}

/** `readNow` fails with `refused` if the endpoint was read less than a second ago. */
export function createHealthInTurn(
  clock: Pick<Clock, 'after'>,
  readNow: (connectionId: string, endpointId: string, options?: HealthReadOptions) => Promise<Result<Health>>,
): HealthInTurn {
  const waits = new Set<{ timer: Timer; end: () => void }>();
  let isClosed = false;

  return {
    async read(connectionId, endpointId, options) {
      const first = await readNow(connectionId, endpointId, options);
      if (first.ok || first.failure.kind !== 'refused' || isClosed) return first;
      const turn = Promise.withResolvers<void>();
      const wait = { timer: clock.after(healthGapMs, turn.resolve), end: turn.resolve };
      waits.add(wait);
      await turn.promise;
      waits.delete(wait);
      return isClosed ? first : await readNow(connectionId, endpointId, options);
    },

    close() {
      isClosed = true;
      for (const { timer, end } of waits) {
        timer.cancel();
        end();
      }
    },
  };
}
