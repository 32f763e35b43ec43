/** The part of Electron's powerMonitor that is used. */
interface PowerSource {
  readonly onBatteryPower: boolean;
  on(event: 'resume', listener: () => void): unknown;
  /** Neither comes on Linux, and the first comes on macOS alone. */
  on(event: 'on-battery', listener: () => void): unknown;
  on(event: 'on-ac', listener: () => void): unknown;
  /** Not on Linux. */
  on(event: 'unlock-screen', listener: () => void): unknown;
  /** Not on Windows, where windows hear of it instead (session-end.ts). */
  on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
}

export interface PowerParts {
  source: PowerSource;
  setOnBattery: (isOnBattery: boolean) => void;
  /** The computer slept or was locked: what is overdue is done. */
  wokeUp: () => void;
  /** Ends Jobdeck when what is being written is on disk. */
  quit: () => void;
}

/**
 * Keeps what Jobdeck knows of the computer's power true. Windows and Linux do not report every change, so `ask` reads
 * it again: whenever a window comes into view, and after sleep.
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
    // The system waits a little for what is being written.
    event?.preventDefault();
    quit();
  });
  ask();
  return { ask };
}
