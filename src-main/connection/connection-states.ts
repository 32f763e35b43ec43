import type { Connection, ConnectionCheck, ConnectionState } from '../../src-preload/connection.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { keyVerdict } from './connection-check.ts';
import { connectionOf } from './connection-record.ts';
import type { ConnectionRecord, Offline } from './connection-record.ts';
import type { ConnectionRecords } from './connection-records.ts';

/** What stands between Jobdeck and each connection. Outages live in memory; a refused key is stored with its connection. */
export interface ConnectionStates {
  /** The connection as windows see it. */
  shown(record: ConnectionRecord): Connection;
  /** Takes over what following jobs showed; true when it changed what is shown. */
  report(connectionId: string, state: ConnectionState): Promise<boolean>;
  /** The kept key could not be read. The key may be right, so this waits as in an outage. */
  reportUnreadable(connectionId: string, message: string): Promise<boolean>;
  /** A test of the saved connection with its kept key tells as much as a job's request. */
  learn(connectionId: string, checks: ConnectionCheck[], sentAtMs: number): Promise<'opened' | 'changed' | 'same'>;
  /** Key or address changed, or a test passed: nothing said before holds, nor what answers to earlier requests will say. */
  open(connectionId: string): Promise<Result<null>>;
  /** Opens those whose key could not be read; answers which. */
  openUnreadable(): string[];
  forget(connectionId: string): void;
}

/** States over the stored records; `hasKey` must answer without reading the key. */
export function createConnectionStates({ records, hasKey, now }: {
  records: ConnectionRecords;
  hasKey: (connectionId: string) => boolean;
  now: () => number;
}): ConnectionStates {
  const offline = new Map<string, Offline>();
  const unreadable = new Set<string>();
  const openedAtMs = new Map<string, number>();

  function shown(record: ConnectionRecord): Connection {
    return connectionOf(record, hasKey(record.id), offline.get(record.id) ?? null);
  }

  async function report(connectionId: string, state: ConnectionState): Promise<boolean> {
    const found = await records.find(connectionId);
    // Whether a key is kept is known here better.
    if (!found.ok || state.kind === 'no-key') return false;
    const before = JSON.stringify(shown(found.value).state);
    if (state.kind === 'offline') offline.set(connectionId, { ...state, sinceMs: offline.get(connectionId)?.sinceMs ?? state.sinceMs });
    // Refused or not, it answered.
    else offline.delete(connectionId);
    if (state.kind === 'key-refused' && found.value.refusal === null && state.sinceMs >= (openedAtMs.get(connectionId) ?? 0)) {
      const { httpStatus, path, sinceMs } = state;
      await records.put({ ...found.value, refusal: { httpStatus, path, sinceMs } });
    }
    const after = await records.find(connectionId);
    return after.ok && JSON.stringify(shown(after.value).state) !== before;
  }

  async function open(connectionId: string): Promise<Result<null>> {
    offline.delete(connectionId);
    unreadable.delete(connectionId);
    openedAtMs.set(connectionId, now());
    const found = await records.find(connectionId);
    if (!found.ok) return found;
    return found.value.refusal === null ? ok(null) : records.put({ ...found.value, refusal: null });
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
      if (verdict.kind === 'accepted') return (await open(connectionId)).ok ? 'opened' : 'same';
      if (verdict.kind === 'open') return 'same';
      const { httpStatus, path } = verdict;
      return (await report(connectionId, { kind: 'key-refused', httpStatus, path, sinceMs: sentAtMs, nextTryMs: null })) ? 'changed' : 'same';
    },
    open,
    openUnreadable() {
      const opened = [...unreadable];
      unreadable.clear();
      for (const connectionId of opened) offline.delete(connectionId);
      return opened;
    },
    forget(connectionId) {
      offline.delete(connectionId);
      unreadable.delete(connectionId);
      openedAtMs.delete(connectionId);
    },
  };
}
