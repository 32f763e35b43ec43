import { createForwardTime } from '../../src-preload/forward-time.ts';

const time = createForwardTime({ wallMs: () => Date.now(), steadyMs: () => performance.now() });

/**
 * The time by the engine's clock, in epoch milliseconds: what jobs are stamped with. If the computer's clock was set
 * back, that is later than `Date.now()`, by which everything the engine knows would seem newer than it is
 * (docs/decisions/102).
 */
export const engineNow = time.now;

/** The engine's clock is at least so late. */
export const learnEngineTime = time.learn;
