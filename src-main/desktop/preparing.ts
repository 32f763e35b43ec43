import type { Preparation } from '../../src-preload/app.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';

/** What the windows' first answers wait for. */
export interface Preparing {
  /** The text for a window. Null if nothing takes long. */
  said(): Preparation | null;
  set(preparation: Preparation | null): void;
}

/** Work that usually ends sooner is not shown. */
const quietMs = 1_000;

/** `tell` is called with each change of what is shown. */
export function createPreparing(clock: Clock, tell: (preparation: Preparation | null) => void): Preparing {
  let current: Preparation | null = null;
  let said: Preparation | null = null;
  const alarm = new Alarm(clock, say);

  function say(): void {
    if (said === current) return;
    said = current;
    tell(said);
  }

  return {
    said: () => said,
    set(preparation) {
      current = preparation;
      alarm.cancel();
      if (preparation?.kind === 'sandbox') alarm.set(clock.now() + quietMs);
      else say();
    },
  };
}
