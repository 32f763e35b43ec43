import type { Preparation } from '../../../src-preload/app.ts';
import type { Clock } from '../../time/clock.ts';
import { Alarm } from '../../time/timers.ts';

/** What the windows' first answers wait for. */
export interface Preparing {
  /** The text for a window. Null if nothing takes long. */
  shown(): Preparation | null;
  set(preparation: Preparation | null): void;
}

/** Work that usually ends sooner is not shown. */
const quietMs = 1_000;

/** `onShown` is called with each change of what is shown. */
export function createPreparing(clock: Clock, onShown: (preparation: Preparation | null) => void): Preparing {
  let current: Preparation | null = null;
  let shown: Preparation | null = null;
  const alarm = new Alarm(clock, show);

  function show(): void {
    if (shown === current) return;
    shown = current;
    onShown(shown);
  }

  return {
    shown: () => shown,
    set(preparation) {
      current = preparation;
      alarm.cancel();
      if (preparation?.kind === 'sandbox') alarm.set(clock.now() + quietMs);
      else show();
    },
  };
}
