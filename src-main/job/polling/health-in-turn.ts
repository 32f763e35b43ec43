import type { Result } from '../../../src-preload/failure.ts';
import type { Health } from '../../../src-preload/health.ts';
import type { Clock, Timer } from '../../time/clock.ts';

/** An endpoint's health is read at most once in this time (ruling 20). */
const gapMs = 1_000;

/** `isAutomatic`: no user asked for it. */
type ReadHow = { isAutomatic?: boolean };

/** Reads health when its endpoint may be read again, instead of failing because that is too soon. */
export interface HealthInTurn {
  /** Fails with `refused` if it may not be read then either, or if Jobdeck closes first. */
  read(connectionId: string, endpointId: string, how?: ReadHow): Promise<Result<Health>>;
  /** Reads that wait for their turn end without a request. */
  close(): void;
}

/** `readNow` fails with `refused` if the endpoint was read less than a second ago. */
export function createHealthInTurn(
  clock: Pick<Clock, 'after'>,
  readNow: (connectionId: string, endpointId: string, how?: ReadHow) => Promise<Result<Health>>,
): HealthInTurn {
  const waits = new Set<{ timer: Timer; end: () => void }>();
  let isClosed = false;

  return {
    async read(connectionId, endpointId, how) {
      const first = await readNow(connectionId, endpointId, how);
      if (first.ok || first.failure.kind !== 'refused' || isClosed) return first;
      const turn = Promise.withResolvers<void>();
      const wait = { timer: clock.after(gapMs, turn.resolve), end: turn.resolve };
      waits.add(wait);
      await turn.promise;
      waits.delete(wait);
      return isClosed ? first : await readNow(connectionId, endpointId, how);
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
