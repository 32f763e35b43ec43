import type { Connection, ConnectionCheck, ConnectionState } from '../../src-preload/connection.ts';
import { keyVerdict } from './connection-check.ts';
import { connectionOf, type ConnectionRecord, type Trouble, type ConnectionRecords } from './connection-records.ts';
import { createHmac, randomBytes } from 'node:crypto';

/** What stands between Jobdeck and each connection. It lives in memory: a restart asks the service anew (ruling 35). */
export interface ConnectionStates {
  /** The connection as windows see it. */
  shown(record: ConnectionRecord): Connection;
  /** Takes over what following jobs showed; true when it changed what is shown. */
  report(connectionId: string, state: ConnectionState): Promise<boolean>;
  /** The kept key could not be read. The key may be right, so this waits as in an outage. */
  reportUnreadable(connectionId: string, message: string): Promise<boolean>;
  /** A test of the saved connection with its kept key shows as much as a job's request. */
  learn(connectionId: string, checks: ConnectionCheck[], sentAtMs: number): Promise<'opened' | 'changed' | 'same'>;
  /**
   * Key or address changed, or a test passed: nothing said before holds, nor what answers to earlier requests will say.
   */
  open(connectionId: string): void;
  /** Opens those whose key could not be read; answers which. */
  openUnreadable(): string[];
  /** A request that left at `atMs` was taken: a refusal of before does not hold any more. True when there was one. */
  taken(connectionId: string, atMs: number): boolean;
  forget(connectionId: string): void;
}

interface ConnectionStatesInput {
  records: Pick<ConnectionRecords, 'find'>;
  hasKey: (record: ConnectionRecord) => boolean;
  now: () => number;
}

/** States over the stored records; `hasKey` must answer without reading the key. */
export function createConnectionStates({ records, hasKey, now }: ConnectionStatesInput): ConnectionStates {
  const troubles = new Map<string, Trouble>();
  const unreadable = new Set<string>();
  const openedAtMs = new Map<string, number>();

  function shown(record: ConnectionRecord): Connection {
    return connectionOf(record, hasKey(record), troubles.get(record.id) ?? null);
  }

  async function report(connectionId: string, state: ConnectionState): Promise<boolean> {
    const found = await records.find(connectionId);
    // Whether a key is kept is known here better.
    if (!found.ok || state.kind === 'no-key') return false;
    const before = JSON.stringify(shown(found.value).state);
    if (state.kind === 'ready') troubles.delete(connectionId);
    else if (!isOfFormerKey(connectionId, state))
      troubles.set(connectionId, goingOn(troubles.get(connectionId), state));
    return JSON.stringify(shown(found.value).state) !== before;
  }

  function isOfFormerKey(connectionId: string, state: Trouble): boolean {
    return state.kind === 'key-refused' && state.sinceMs < (openedAtMs.get(connectionId) ?? 0);
  }

  function open(connectionId: string): void {
    troubles.delete(connectionId);
    unreadable.delete(connectionId);
    openedAtMs.set(connectionId, now());
  }

  return {
    shown,
    report,
    reportUnreadable(connectionId, message) {
      unreadable.add(connectionId);
      return report(connectionId, { kind: 'offline', sinceMs: now(), nextTryMs: null, message });
    },
    async learn(connectionId, checks, sentAtMs) {
      const verdict = keyVerdict(checks);
      if (verdict.kind === 'accepted') {
        open(connectionId);
        return 'opened';
      }
      if (verdict.kind === 'open') return 'same';
      const { httpStatus, path } = verdict;
      const refused: Trouble = { kind: 'key-refused', httpStatus, path, sinceMs: sentAtMs, nextTryMs: null };
      return (await report(connectionId, refused)) ? 'changed' : 'same';
    },
    open,
    openUnreadable() {
      const opened = [...unreadable];
      unreadable.clear();
      for (const connectionId of opened) troubles.delete(connectionId);
      return opened;
    },
    taken(connectionId, atMs) {
      const trouble = troubles.get(connectionId);
      return trouble?.kind === 'key-refused' && atMs >= trouble.sinceMs && troubles.delete(connectionId);
    },
    forget(connectionId) {
      troubles.delete(connectionId);
      unreadable.delete(connectionId);
      openedAtMs.delete(connectionId);
    },
  };
}

/** The same trouble reported again began when it was first reported. */
function goingOn(former: Trouble | undefined, state: Trouble): Trouble {
  return former?.kind === state.kind ? { ...state, sinceMs: former.sinceMs } : state;
}

/** Which connections are one account of one service (ruling 42). In memory only; no key can be read from it. */
export interface Accounts {
  /** The account of a connection, or its own id as long as its key was not read. */
  of(connectionId: string): string;
  /** The connection's key was read for a request. `baseUrl`: its own, normalised. */
  learn(connectionId: string, baseUrl: string, key: string): void;
  forget(connectionId: string): void;
}

/** Accounts are told apart by a hash of base URL and key, under a secret of this session that is kept nowhere. */
export function createAccounts(): Accounts {
  const secret = randomBytes(32);
  const accounts = new Map<string, string>();
  return {
    of: (connectionId) => accounts.get(connectionId) ?? connectionId,
    learn(connectionId, baseUrl, key) {
      accounts.set(connectionId, createHmac('sha256', secret).update(`${baseUrl}\n${key}`).digest('base64url'));
    },
    forget: (connectionId) => void accounts.delete(connectionId),
  };
}
