import { arrivedChunks } from '../../kit/arrived-chunks.ts';
import type { StreamRead } from '../../kit/arrived-chunks.ts';

/** One read of a job's stream, from the service's log. Its times are the service's, in epoch milliseconds. */
export interface BenchRead extends StreamRead {
  atMs: number;
  durationMs: number;
  /** When the connection was made on which it came. Only the process that made it can read the answer. */
  connectedAtMs?: number;
  /** The client's port of that connection. */
  clientPort?: number;
  /** Its last byte was handed to the system, or the client disconnected. `durationMs` is until then. */
  isOver?: true;
  /** When the client's process had read it, or had stopped reading it. Null: it never did. Absent: not known. */
  receivedAtMs?: number | null;
}

/** A kill of a client, in epoch milliseconds: the signal was sent, and the process was seen to be gone. */
export interface Kill {
  sentAtMs: number;
  goneAtMs: number;
}

export interface DueChunks {
  /** Chunks that a client could have on disk, counted from 0. */
  due: ReadonlySet<number>;
  /** Chunks that left the service in answers that never arrived. */
  lostOnTheWay: number;
  /** Chunks in answers that were in progress when the client was killed. */
  inProgressAtKill: number;
}

/**
 * An answer that came just before a kill may not be on disk yet: it has to cross two threads of a busy machine. Where
 * starts take longer than this, so may that: with starts of 2 to 6 s, seven answers were not written after 515 ms.
 */
const minCommitMs = 500;
/** A long answer has to be read first, one after the other. */
const readBytesPerMs = 20_000;
/** However long its starts take, a process sends a request within half of this. */
const longestLateMs = 1_000;
/**
 * A request waits in the system while the service is busy, and so does its answer while the client is: with twenty
 * other processes, requests of a killed process were accepted and served up to 1.9 s after the kill. If no process read
 * the answer, and one was killed within this time before or after, that one was waiting for it.
 */
const longestUnreadMs = 5_000;

/**
 * Which chunks of a draining stream a client could have: those in answers that arrived, and, as long as the service has
 * the job, those that were not read. `outputs`: everything that the stream yielded, as JSON texts.
 */
export function dueChunks(of: {
  reads: readonly BenchRead[];
  outputs: readonly string[];
  kills: readonly Kill[];
  /** From each start until it accepted requests, in milliseconds. */
  startMs: readonly number[];
  isRemoved: boolean;
}): DueChunks {
  const { reads, outputs, kills, isRemoved } = of;
  // A request that the killed process sent may be served after the kill. Its connection shows that, and if it was
  // accepted late as well, the next process cannot have sent one that early.
  const lateMs = Math.min(...of.startMs, longestLateMs) / 2;
  const commitMs = Math.max(minCommitMs, medianOf(of.startMs));
  const arrived = new Set<number>();
  const inProgress = new Set<number>();
  let taken = 0;
  for (const read of reads) {
    taken = Math.max(taken, read.sentChunks?.to ?? 0);
    const untilMs = lastWriteAtMs(read, commitMs);
    const fromMs =
      Math.min(read.connectedAtMs ?? Infinity, read.atMs - lateMs) - (isUnread(read) ? longestUnreadMs : 0);
    const isCutOff = kills.some(({ sentAtMs, goneAtMs }) => goneAtMs >= fromMs && sentAtMs <= untilMs);
    for (const chunk of arrivedChunks(read, outputs, false)) (isCutOff ? inProgress : arrived).add(chunk);
  }
  const isWaiting = (chunk: number): boolean => !isRemoved && chunk >= taken;
  const all = outputs.map((_, chunk) => chunk);
  const due = new Set(all.filter((chunk) => arrived.has(chunk) || isWaiting(chunk)));
  const inProgressAtKill = [...inProgress].filter((chunk) => !due.has(chunk)).length;
  const missingCount = all.filter((chunk) => chunk < taken && !due.has(chunk)).length;
  return { due, inProgressAtKill, lostOnTheWay: missingCount - inProgressAtKill };
}

/** No process ever had read its answer. */
function isUnread({ receivedAtMs }: BenchRead): boolean {
  return receivedAtMs === null;
}

/** When the chunks of a read must be on disk, in epoch milliseconds. */
function lastWriteAtMs(read: BenchRead, commitMs: number): number {
  const sentAtMs = read.atMs + read.durationMs;
  if (isUnread(read)) return sentAtMs + Math.max(longestUnreadMs, commitMs);
  return Math.max(sentAtMs, read.receivedAtMs ?? 0) + commitMs + read.replyBytes / readBytesPerMs;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
