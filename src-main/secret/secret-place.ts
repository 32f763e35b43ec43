import type { KeyStorage } from '../../src-preload/connection.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';

/** What keeping a secret can fail with: always said, never worked around by a weaker place. */
export type StorageFailure = Extract<LocalFailure, { kind: 'storage' }>;

/** Somewhere secrets can be kept. Calls never reject and never hang for long. */
export interface SecretPlace {
  kind: KeyStorage['kind'];
  /** Null when nothing is kept under this id. */
  read(id: string): Promise<Result<string | null, StorageFailure>>;
  write(id: string, secret: string): Promise<Result<null, StorageFailure>>;
  /** Also succeeds when nothing was kept. */
  remove(id: string): Promise<Result<null, StorageFailure>>;
}

/** Runs something after a delay in milliseconds; answers a function that calls it off. */
export type SetTimer = (run: () => void, delayMs: number) => () => void;

/** The system's timer, which does not keep the process alive by itself. */
export const systemTimer: SetTimer = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

export type Bounded<T> = { kind: 'value'; value: T } | { kind: 'error'; error: unknown } | { kind: 'late' };

/** Waits for `work` no longer than `limitMs`. The work itself goes on; what it ends with is then nobody's. */
export function within<T>(work: Promise<T>, limitMs: number, setTimer: SetTimer): Promise<Bounded<T>> {
  return new Promise((resolve) => {
    const callOff = setTimer(() => resolve({ kind: 'late' }), limitMs);
    work.then(
      (value) => {
        callOff();
        resolve({ kind: 'value', value });
      },
      (error: unknown) => {
        callOff();
        resolve({ kind: 'error', error });
      },
    );
  });
}
