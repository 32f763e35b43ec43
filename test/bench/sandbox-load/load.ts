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
  /** Answers other than 200, and connections that broke. */
  errors: number;
  tookMs: number;
  acceptedPerS: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

/** Loads a service over keep-alive connections, one request at a time on each. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, durationMs, ratePerS, nextRequest, onAnswer } = options;
  const latencies: number[] = [];
  let offered = 0;
  let accepted = 0;
  let errors = 0;
  let isOver = false;
  let inFlight = 0;
  // Due times of requests for which no connection was free.
  const late: number[] = [];
  let lateFrom = 0;
  let settle: () => void = () => undefined;

  const opened = await Promise.all(
    Array.from({ length: connections }, () =>
      openConnection(port, () => {
        errors += 1;
      }),
    ),
  );
  const free: LoadConnection[] = [...opened];

  function send(connection: LoadConnection, dueMs: number): void {
    inFlight += 1;
    connection.send(nextRequest(), (status, body) => {
      inFlight -= 1;
      latencies.push(performance.now() - dueMs);
      if (status === 200) accepted += 1;
      else errors += 1;
      onAnswer?.(status, body);
      const nextDueMs = ratePerS === null && !isOver ? performance.now() : late[lateFrom];
      if (nextDueMs !== undefined) {
        if (ratePerS === null) offered += 1;
        else lateFrom += 1;
        send(connection, nextDueMs);
        return;
      }
      free.push(connection);
      if (isOver && inFlight === 0) settle();
    });
  }

  const startedAtMs = performance.now();
  const pump = (passedMs: number): void => {
    const due = ratePerS === null ? offered : Math.floor((passedMs / 1_000) * ratePerS);
    for (; offered < due; offered += 1) {
      const dueMs = startedAtMs + (offered / (ratePerS ?? 1)) * 1_000;
      const connection = free.pop();
      if (connection === undefined) late.push(dueMs);
      else send(connection, dueMs);
    }
  };
  if (ratePerS === null) {
    for (const connection of free.splice(0)) {
      offered += 1;
      send(connection, startedAtMs);
    }
  }
  const ticks = setInterval(() => pump(Math.min(durationMs, performance.now() - startedAtMs)), 1);
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  clearInterval(ticks);
  pump(durationMs);
  isOver = true;
  if (inFlight > 0) {
    await new Promise<void>((resolve) => {
      settle = resolve;
    });
  }
  const tookMs = performance.now() - startedAtMs;
  for (const connection of opened) connection.close();
  const at = (share: number): number => percentile(latencies, share) ?? 0;
  return {
    offered,
    accepted,
    errors,
    tookMs,
    acceptedPerS: (accepted / tookMs) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
  };
}
