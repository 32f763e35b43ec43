/** The part of Electron's powerMonitor that is used here. */
interface PowerSource {
  readonly onBatteryPower: boolean;
  on(event: 'resume', listener: () => void): unknown;
  /** Linux has neither of these events, and only macOS has the first. */
  on(event: 'on-battery', listener: () => void): unknown;
  on(event: 'on-ac', listener: () => void): unknown;
  /** Not on Linux. */
  on(event: 'unlock-screen', listener: () => void): unknown;
  /** Not on Windows, which reports it to windows instead (session-end.ts). */
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
}

export interface PowerParts {
  source: PowerSource;
  setOnBattery: (isOnBattery: boolean) => void;
  /** The computer slept or was locked: overdue work is done now. */
  wokeUp: () => void;
  /** Ends Jobdeck when everything is on disk. */
  quit: () => void;
}

/**
 * Keeps the power state up to date. Windows and Linux do not report every change, so `ask` reads it again: when a
 * window becomes visible, and after sleep.
 */
export function followPower({ source, setOnBattery, wokeUp, quit }: PowerParts): { ask(): void } {
  const ask = (): void => setOnBattery(source.onBatteryPower);
  source.on('on-battery', ask);
  source.on('on-ac', ask);
  source.on('resume', () => {
    ask();
    wokeUp();
  });
  source.on('unlock-screen', wokeUp);
  source.on('shutdown', (event) => {
    // Makes the system wait a little for what is being written.
    event?.preventDefault();
    quit();
  });
  ask();
  return { ask };
}
