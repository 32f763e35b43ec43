import { percentile } from '../../../src-main/history/jobs/run-times.ts';
import { openConnection, type LoadConnection } from './connection.ts';

export interface LoadOptions {
  port: number;
  connections: number;
  durationMs: number;
  /** Requests per second, sent by the clock however late the answers are. Null: as fast as they are answered. */
  ratePerS: number | null;
  /** The next request, complete. */
  nextRequest(): string;
  onAnswer?(status: number, body: Buffer): void;
}

/** The requests sent and their answers. Latencies count from when a request was due. */
export interface LoadResult {
  offered: number;
  accepted: number;
  /** How many requests were answered otherwise than with 200, or not at all, by how. */
  failures: Readonly<Record<string, number>>;
  /** Connections that were closed while no request was on them, by how. No request failed by that. */
  idleCloses: Readonly<Record<string, number>>;
  tookMs: number;
  acceptedPerS: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

/** How much of the body of an answer other than 200 is part of its kind. */
const KIND_BODY_BYTES = 120;

/** A connection, and when the request that is on it was due. Null: it is free. */
interface Lane {
  connection: LoadConnection;
  dueMs: number | null;
}

/**
 * Loads a service over keep-alive connections, one request at a time on each. A connection that breaks is opened again.
 * Rejects if that fails.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  return new Load(options).run();
}

class Load {
  readonly #options: LoadOptions;
  readonly #latencies: number[] = [];
  readonly #failures: Record<string, number> = {};
  readonly #idleCloses: Record<string, number> = {};
  readonly #lanes = new Set<Lane>();
  /** The last to become free is used first. */
  readonly #free: Lane[] = [];
  /** Due times of requests for which no connection was free. */
  readonly #late: number[] = [];
  readonly #settled = Promise.withResolvers<void>();
  #lateFrom = 0;
  #offered = 0;
  #accepted = 0;
  /** Requests without an answer so far, and connections that are opened again. */
  #pending = 0;
  #startedAtMs = 0;
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async run(): Promise<LoadResult> {
    const { connections, durationMs, ratePerS } = this.#options;
    const opened = await Promise.all(Array.from({ length: connections }, () => this.#open()));
    this.#startedAtMs = performance.now();
    for (const lane of opened) this.#giveNext(lane);
    const ticks = setInterval(() => this.#pump(Math.min(durationMs, performance.now() - this.#startedAtMs)), 1);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, durationMs)), this.#settled.promise]);
    clearInterval(ticks);
    if (ratePerS !== null) this.#pump(durationMs);
    this.#isOver = true;
    if (this.#pending > 0) await this.#settled.promise;
    const tookMs = performance.now() - this.#startedAtMs;
    for (const { connection } of this.#lanes) connection.close();
    return this.#result(tookMs);
  }

  #result(tookMs: number): LoadResult {
    const at = (share: number): number => percentile(this.#latencies, share) ?? 0;
    return {
      offered: this.#offered,
      accepted: this.#accepted,
      failures: this.#failures,
      idleCloses: this.#idleCloses,
      tookMs,
      acceptedPerS: (this.#accepted / tookMs) * 1_000,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      longestMs: at(1),
    };
  }

  /** Sends what is due by now. */
  #pump(passedMs: number): void {
    const { ratePerS } = this.#options;
    if (ratePerS === null) return;
    for (const due = Math.floor((passedMs / 1_000) * ratePerS); this.#offered < due; this.#offered += 1) {
      const dueMs = this.#startedAtMs + ((this.#offered + 1) / ratePerS) * 1_000;
      const lane = this.#free.pop();
      if (lane === undefined) this.#late.push(dueMs);
      else this.#send(lane, dueMs);
    }
  }

  #giveNext(lane: Lane): void {
    const isEndless = this.#options.ratePerS === null && !this.#isOver;
    const dueMs = isEndless ? performance.now() : this.#late[this.#lateFrom];
    if (dueMs === undefined) {
      this.#free.push(lane);
      return this.#settleIfDone();
    }
    if (isEndless) this.#offered += 1;
    else this.#lateFrom += 1;
    this.#send(lane, dueMs);
  }

  #send(lane: Lane, dueMs: number): void {
    lane.dueMs = dueMs;
    this.#pending += 1;
    lane.connection.send(this.#options.nextRequest(), (status, body) => {
      lane.dueMs = null;
      this.#pending -= 1;
      this.#latencies.push(performance.now() - dueMs);
      if (status === 200) this.#accepted += 1;
      else count(this.#failures, kindOf(status, body));
      this.#options.onAnswer?.(status, body);
      this.#giveNext(lane);
    });
  }

  async #open(): Promise<Lane> {
    const connection = await openConnection(this.#options.port, (reason) => this.#replace(lane, reason));
    const lane: Lane = { connection, dueMs: null };
    this.#lanes.add(lane);
    return lane;
  }

  /** A connection broke: what was on it failed, and it is opened again. */
  #replace(broken: Lane, reason: string): void {
    this.#lanes.delete(broken);
    if (broken.dueMs === null) {
      count(this.#idleCloses, reason);
      this.#free.splice(this.#free.indexOf(broken), 1);
    } else {
      this.#pending -= 1;
      count(this.#failures, `no answer: ${reason}`);
    }
    this.#pending += 1;
    this.#open().then(
      (lane) => {
        this.#pending -= 1;
        this.#giveNext(lane);
      },
      (error: unknown) => this.#settled.reject(error),
    );
  }

  #settleIfDone(): void {
    if (this.#isOver && this.#pending === 0) this.#settled.resolve();
  }
}

/** The ids of jobs would make each answer a kind of its own. */
function kindOf(status: number, body: Buffer): string {
  return `${status} ${body.toString('utf8', 0, KIND_BODY_BYTES).replace(/[\da-f]{8}(?:-[\da-z]+)+/g, 'ID')}`;
}

function count(kinds: Record<string, number>, kind: string): void {
  kinds[kind] = (kinds[kind] ?? 0) + 1;
}
