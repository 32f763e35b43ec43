import type { KeyStorage } from '../../src-preload/connection.ts';
import { type LocalFailure, type Result, failed, ok } from '../../src-preload/failure.ts';
import { randomUUID } from 'node:crypto';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { Clock } from '../time/clock.ts';
import { within } from '../time/timers.ts';

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

/** The part of keytar that is used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface Keychain extends SecretPlace {
  kind: 'keychain';
  /**
   * Whether there is one that answers, by asking for an entry that is never kept: nothing is written, and nothing has
   * to be unlocked for it. `late` when nothing came within `timeMs`; `onLateAnswer` is called if it answers after all.
   */
  look(timeMs: number, onLateAnswer: () => void): Promise<'there' | 'absent' | 'late'>;
}

export interface KeychainParts {
  keytar: Keytar;
  /** The name entries are listed under in the system's keychain window. */
  serviceName: string;
  /** How long one call may take. Generous, for a person may be typing the keychain's password. */
  limitMs: number;
  after: Clock['after'];
  /** An overdue call came back well: the keychain answers again. */
  onAnswering: () => void;
  /** Whether it lets us wait: the system may be asking the user to unlock it. */
  onWaiting: (isWaiting: boolean) => void;
  log: Log;
}

const probeSecret = 'Jobdeck checks that it can keep keys here';
/** The account of no entry. */
const neverKept = 'check';
/** A call that takes longer is waiting for a person. */
const patienceMs = 2_000;

/**
 * The system's keychain. One call at a time: each occupies one of Node's few background threads until the keychain
 * answers, so that some calls to a keychain that hangs would stop every file and name lookup of the app. While one call
 * is overdue, the others fail at once.
 */
export function createKeychain(parts: KeychainParts): Keychain {
  const { keytar, serviceName, limitMs, after, onAnswering, log } = parts;
  /** Each call in its turn, with no limit of its own. */
  const queue = createSerialQueue();
  /** Calls that passed their limit and have not come back. */
  let overdue = 0;
  /** Calls that take longer than a keychain without a prompt does. */
  let waiting = 0;

  function follow(turn: Promise<unknown>): void {
    let isWaiting = false;
    const timer = after(patienceMs, () => {
      isWaiting = true;
      waiting += 1;
      if (waiting === 1) parts.onWaiting(true);
    });
    const over = (): void => {
      timer.cancel();
      if (!isWaiting) return;
      waiting -= 1;
      if (waiting === 0) parts.onWaiting(false);
    };
    turn.then(over, over);
  }

  async function ask<T>(
    what: string,
    call: () => Promise<T>,
    timeMs: number,
    onLate?: (value: T) => void,
  ): Promise<Result<T, StorageFailure>> {
    if (overdue > 0) return failed(notAnswering(what));
    const turn = queue.run(call);
    follow(turn);
    const [outcome] = (await within(Promise.allSettled([turn]), timeMs, after)) ?? [];
    if (outcome?.status === 'fulfilled') return ok(outcome.value);
    if (outcome !== undefined) return failed(refused(what, log.redact(errorText(outcome.reason))));
    overdue += 1;
    log.warn('The keychain does not answer', { what, timeMs });
    turn.then(
      (value) => {
        overdue -= 1;
        onLate?.(value);
        onAnswering();
      },
      () => {
        overdue -= 1;
      },
    );
    return failed(notAnswering(what));
  }

  /** True when the entry that was written came back. */
  async function tryEntry(): Promise<boolean> {
    // An account of its own, so that two running copies do not take each other's entry away.
    const account = `check-${randomUUID()}`;
    await keytar.setPassword(serviceName, account, probeSecret);
    try {
      return (await keytar.getPassword(serviceName, account)) === probeSecret;
    } finally {
      await keytar.deletePassword(serviceName, account);
    }
  }

  /** Asked where "nothing there" may only mean "locked". */
  async function isOpen(what: string): Promise<Result<null, StorageFailure>> {
    const works = await ask(what, tryEntry, limitMs);
    if (!works.ok) return works;
    return works.value ? ok(null) : failed(refused(what, 'What was written did not come back'));
  }

  return {
    kind: 'keychain',
    async look(timeMs, onLateAnswer) {
      const looked = await ask('find keys', () => keytar.getPassword(serviceName, neverKept), timeMs, onLateAnswer);
      if (looked.ok) return 'there';
      log.warn('The keychain is not used', { failure: looked.failure });
      return overdue > 0 ? 'late' : 'absent';
    },
    async read(id) {
      const read = await ask('read the key', () => keytar.getPassword(serviceName, id), limitMs);
      if (!read.ok || read.value !== null) return read;
      return isOpen('read the key');
    },
    async write(id, secret) {
      const written = await ask('save the key', () => keytar.setPassword(serviceName, id, secret), limitMs);
      return written.ok ? ok(null) : written;
    },
    async remove(id) {
      const removed = await ask('remove the key', () => keytar.deletePassword(serviceName, id), limitMs);
      if (!removed.ok) return removed;
      return removed.value ? ok(null) : isOpen('remove the key');
    },
  };
}

function notAnswering(what: string): StorageFailure {
  return {
    kind: 'storage',
    message:
      `The system keychain does not respond, so Jobdeck could not ${what}. Unlock it if your system asks you ` +
      'to, then try again.',
  };
}

function refused(what: string, detail: string): StorageFailure {
  return {
    kind: 'storage',
    message:
      `The system keychain refused to ${what}. It may be locked: unlock it, then try again, or choose another place ` +
      'for keys in Settings.',
    detail,
  };
}

/**
 * Not written into the import, so that neither the type check nor the bundler needs an optional dependency to be there.
 */
const packageName = 'keytar';

/**
 * keytar, when it was installed and its native part loads on this computer; rejects otherwise.
 * It is archived upstream and optional, hence loaded only here and only when asked for.
 */
export async function loadKeytar(): Promise<Keytar> {
  const loaded: unknown = await import(/* @vite-ignore */ packageName);
  // A CommonJS package: its functions may stand on the namespace or on its default export.
  for (const candidate of [loaded, defaultOf(loaded)]) if (isKeytar(candidate)) return candidate;
  throw new Error('keytar was found without its functions');
}

function defaultOf(loaded: unknown): unknown {
  return typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null;
}

function isKeytar(candidate: unknown): candidate is Keytar {
  if (typeof candidate !== 'object' || candidate === null) return false;
  const names = ['getPassword', 'setPassword', 'deletePassword'];
  return names.every((name) => name in candidate && typeof Reflect.get(candidate, name) === 'function');
}
