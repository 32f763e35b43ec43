/** Time as the service under test counts it, in milliseconds. */
export interface Time {
  now(): number;
  /** Lets this much of the service's time go by. */
  pass(ms: number): Promise<void>;
  /** How far off a reading can be: what the service counts while one call travels. */
  readonly toleranceMs: number;
  /** How long something that should come soon is waited for before it counts as missing. */
  readonly patienceMs: number;
  /** What passes for the service in a second of this machine's clock, by which headers in seconds are meant. */
  readonly clientSecondMs: number;
}

const CALL_MS = 50;
const PATIENCE_MS = 30_000;

/** The time of a service that runs `timeScale` times faster than this machine's clock. */
export function createRealTime(timeScale: number): Time {
  const startMs = performance.now();
  return {
    now: () => (performance.now() - startMs) * timeScale,
    pass: (ms) => new Promise((resolve) => void setTimeout(resolve, Math.ceil(Math.max(0, ms) / timeScale))),
    toleranceMs: CALL_MS * timeScale,
    patienceMs: PATIENCE_MS * timeScale,
    clientSecondMs: 1_000 * timeScale,
  };
}
