import type { Clock } from '../../time/clock.ts';
import { within } from '../../time/timers.ts';

/** The moment from which the system may ask the user something on behalf of Jobdeck. */
export interface FirstWindow {
  /** To be called when a window is shown, and at a start without one. */
  isThere(): void;
  /** Resolves then, or when no window came for long: keys are needed all the same. */
  opened: Promise<void>;
}

/** A page is drawn long before, even on a slow computer. */
const limitMs = 10_000;

/**
 * Keys are asked for only when there is a window: a system that asks for the keyring's password before it would not say
 * what the password is for.
 */
export function createFirstWindow(after: Clock['after']): FirstWindow {
  const shown = Promise.withResolvers<void>();
  return { isThere: shown.resolve, opened: within(shown.promise, limitMs, after).then(() => undefined) };
}
