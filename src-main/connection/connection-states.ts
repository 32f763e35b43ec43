import type { Connection, ConnectionCheck, ConnectionState } from '../../src-preload/connection.ts';
import { keyVerdict } from './connection-check.ts';
import { connectionOf, type ConnectionRecord, type Trouble, type ConnectionRecords } from './connection-records.ts';

interface ConnectionStatesParts {
  records: Pick<ConnectionRecords, 'find'>;
  hasKey: (record: ConnectionRecord) => boolean;
  now: () => number;
}

/**
 * What keeps Jobdeck from reaching each connection. Kept in memory only: a restart tries again (ruling 35). `hasKey`
 * must answer without reading the key.
 */
export class ConnectionStates {
  readonly #parts: ConnectionStatesParts;
  readonly #troubles = new Map<string, Trouble>();
  readonly #unreadable = new Set<string>();
  readonly #openedAtMs = new Map<string, number>();

  constructor(parts: ConnectionStatesParts) {
    this.#parts = parts;
  }

  /** The connection as windows see it. */
  shown(record: ConnectionRecord): Connection {
    return connectionOf(record, this.#parts.hasKey(record), this.#troubles.get(record.id) ?? null);
  }

  /** Notes the state that requests about jobs showed. Returns true if the shown state changed. */
  async report(connectionId: string, state: ConnectionState): Promise<boolean> {
    const found = await this.#parts.records.find(connectionId);
    // Whether a key is saved is known better here.
    if (!found.ok || state.kind === 'no-key') return false;
    const before = JSON.stringify(this.shown(found.value).state);
    if (state.kind === 'ready') this.#troubles.delete(connectionId);
    else if (!this.#isOfFormerKey(connectionId, state))
      this.#troubles.set(connectionId, sinceItBegan(this.#troubles.get(connectionId), state));
    return JSON.stringify(this.shown(found.value).state) !== before;
  }

  /** The saved key could not be read. It may be right, so this is treated like an outage. */
  reportUnreadable(connectionId: string, message: string): Promise<boolean> {
    this.#unreadable.add(connectionId);
    return this.report(connectionId, { kind: 'offline', sinceMs: this.#parts.now(), nextTryMs: null, message });
  }

  /** A test of the saved connection with its saved key counts like a request about a job. */
  async learn(
    connectionId: string,
    checks: ConnectionCheck[],
    sentAtMs: number,
  ): Promise<'opened' | 'changed' | 'same'> {
    const verdict = keyVerdict(checks);
    if (verdict.kind === 'accepted') {
      this.open(connectionId);
      return 'opened';
    }
    if (verdict.kind === 'open') return 'same';
    const { httpStatus, path } = verdict;
    const refused: Trouble = { kind: 'key-refused', httpStatus, path, sinceMs: sentAtMs, nextTryMs: null };
    return (await this.report(connectionId, refused)) ? 'changed' : 'same';
  }

  /** Key or address changed, or a test passed: earlier answers no longer apply, including those still to come. */
  open(connectionId: string): void {
    this.#troubles.delete(connectionId);
    this.#unreadable.delete(connectionId);
    this.#openedAtMs.set(connectionId, this.#parts.now());
  }

  /** Reopens the connections whose key could not be read. Returns them. */
  openUnreadable(): string[] {
    const opened = [...this.#unreadable];
    this.#unreadable.clear();
    for (const connectionId of opened) this.#troubles.delete(connectionId);
    return opened;
  }

  /**
   * A request that left at `atMs` was accepted, so an earlier refusal is no longer valid. Returns whether there was
   * one.
   */
  accepted(connectionId: string, atMs: number): boolean {
    const trouble = this.#troubles.get(connectionId);
    return trouble?.kind === 'key-refused' && atMs >= trouble.sinceMs && this.#troubles.delete(connectionId);
  }

  /** Drops everything known of a removed connection. */
  forget(connectionId: string): void {
    this.#troubles.delete(connectionId);
    this.#unreadable.delete(connectionId);
    this.#openedAtMs.delete(connectionId);
  }

  #isOfFormerKey(connectionId: string, state: Trouble): boolean {
    return state.kind === 'key-refused' && state.sinceMs < (this.#openedAtMs.get(connectionId) ?? 0);
  }
}

/** The trouble, with the time when it began: one that is reported again is not new. */
function sinceItBegan(former: Trouble | undefined, state: Trouble): Trouble {
  return former?.kind === state.kind ? { ...state, sinceMs: former.sinceMs } : state;
}
