import type { KeyStorage } from '../../src-preload/connection.ts';
import { type LocalFailure, type Result, failed, ok } from '../../src-preload/failure.ts';
import { randomUUID } from 'node:crypto';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { Clock } from '../time/clock.ts';
import { within } from '../time/timers.ts';
import { keychainText, type KeychainRequest } from '../messages/secret.ts';

/** Why a secret could not be saved or read. It is always shown; a weaker place is never used instead. */
export type StorageFailure = Extract<LocalFailure, { kind: 'storage' }>;

/** A place for secrets. Calls never reject and never hang for long. */
export interface SecretPlace {
  kind: KeyStorage['kind'];
  /** Null if nothing is saved under this id. */
  read(id: string): Promise<Result<string | null, StorageFailure>>;
  write(id: string, secret: string): Promise<Result<null, StorageFailure>>;
  /** Succeeds even if nothing was saved. */
  remove(id: string): Promise<Result<null, StorageFailure>>;
}

/** The part of keytar that is used here. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface Keychain extends SecretPlace {
  kind: 'keychain';
  /**
   * Whether there is a keychain that answers, by reading an entry that never exists: nothing is written or unlocked for
   * it. `late` if there was no answer within `timeMs`; `onLateAnswer` is called if it answers after all.
   */
  check(timeMs: number, onLateAnswer: () => void): Promise<'there' | 'absent' | 'late'>;
}

export interface KeychainParts {
  keytar: Keytar;
  /** The name of the entries in the system's keychain window. */
  serviceName: string;
  /** How long a call may take. Generous, because the user may be entering the keychain's password. */
  limitMs: number;
  after: Clock['after'];
  /** A call that was overdue succeeded: the keychain answers again. */
  onAnswering: () => void;
  /** Whether it keeps us waiting: the system may be asking the user to unlock it. */
  onWaiting: (isWaiting: boolean) => void;
  log: Log;
}

/** An account that never has an entry. */
const neverKept = 'check';
/** A call to a place for keys that takes longer waits for the user. */
export const patienceMs = 2_000;

/**
 * The system's keychain. One call at a time, because each blocks one of Node's few background threads until the
 * keychain answers: a few calls to a keychain that hangs would stop all file access and name lookups of the app. While
 * a call is overdue, others fail immediately.
 */
export function createKeychain(parts: KeychainParts): Keychain {
  const { keytar, serviceName, limitMs, after, onAnswering, log } = parts;
  /** One call after the other, without a time limit. */
  const queue = createSerialQueue();
  /** Calls that exceeded their limit and have not returned. */
  let overdue = 0;
  /** Calls that take longer than a keychain needs without a prompt. */
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
    request: KeychainRequest,
    call: () => Promise<T>,
    timeMs: number,
    onLate?: (value: T) => void,
  ): Promise<Result<T, StorageFailure>> {
    if (overdue > 0) return failed(notAnswering(request));
    const turn = queue.run(call);
    follow(turn);
    const [outcome] = (await within(Promise.allSettled([turn]), timeMs, after)) ?? [];
    if (outcome?.status === 'fulfilled') return ok(outcome.value);
    if (outcome !== undefined) return failed(refused(request, log.redact(errorText(outcome.reason))));
    overdue += 1;
    log.warn('The keychain does not answer', { request, timeMs });
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
    return failed(notAnswering(request));
  }

  /** True if the entry that was written could be read back. */
  async function tryEntry(): Promise<boolean> {
    // A random account, so that two running copies do not remove each other's entry.
    const account = `check-${randomUUID()}`;
    await keytar.setPassword(serviceName, account, keychainText.trial);
    try {
      return (await keytar.getPassword(serviceName, account)) === keychainText.trial;
    } finally {
      await keytar.deletePassword(serviceName, account);
    }
  }

  /** Used if "nothing there" may also mean "locked". */
  async function isOpen(request: KeychainRequest): Promise<Result<null, StorageFailure>> {
    const works = await ask(request, tryEntry, limitMs);
    if (!works.ok) return works;
    return works.value ? ok(null) : failed(refused(request, keychainText.trialLost));
  }

  return {
    kind: 'keychain',
    async check(timeMs, onLateAnswer) {
      const found = await ask('find', () => keytar.getPassword(serviceName, neverKept), timeMs, onLateAnswer);
      if (found.ok) return 'there';
      log.warn('The keychain is not used', { failure: found.failure });
      return overdue > 0 ? 'late' : 'absent';
    },
    async read(id) {
      const read = await ask('read', () => keytar.getPassword(serviceName, id), limitMs);
      if (!read.ok || read.value !== null) return read;
      return isOpen('read');
    },
    async write(id, secret) {
      const written = await ask('save', () => keytar.setPassword(serviceName, id, secret), limitMs);
      return written.ok ? ok(null) : written;
    },
    async remove(id) {
      const removed = await ask('remove', () => keytar.deletePassword(serviceName, id), limitMs);
      if (!removed.ok) return removed;
      return removed.value ? ok(null) : isOpen('remove');
    },
  };
}

function notAnswering(request: KeychainRequest): StorageFailure {
  return { kind: 'storage', message: keychainText.notResponding(request) };
}

function refused(request: KeychainRequest, detail: string): StorageFailure {
  return { kind: 'storage', message: keychainText.refused(request), detail };
}

/**
 * Not written in the import, so that the optional dependency need not be installed for the type check and the bundler.
 */
const packageName = 'keytar';

/**
 * keytar, if it is installed and its native part loads on this computer. Rejects otherwise. It is optional and no
 * longer maintained, so it is loaded only when needed.
 */
export async function loadKeytar(): Promise<Keytar> {
  const loaded: unknown = await import(/* @vite-ignore */ packageName);
  // A CommonJS package: its functions may be on the namespace or on its default export.
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
