import type { Dialect } from '../../../../src-main/sandbox/dialect.ts';
import type { FaultKind, FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import type { RequestLogEntry } from '../../../../src-main/sandbox/server/request-log.ts';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import { arrivedChunks } from '../../../kit/arrived-chunks.ts';

/** Faults under which the service does what it was asked and the client can read that it did. */
const harmless: readonly FaultKind[] = [
  'delay',
  'deep',
  'large',
  'clock-skew',
  'late-in-progress',
  'unknown-status',
  'duplicate-chunks',
  'replay-chunks',
  'drop-webhook',
];
/** Answers that are longer than anybody has to read (ruling 43). */
const beyondReading: readonly FaultKind[] = ['huge', 'compressed'];

/** What the service knows of its own answers: which of them could be read, and which chunks left in them. */
export interface ServiceLog {
  /** Chunks of each answer to a read of this run's stream that could be read; the run is the one after `retries`. */
  arrived(jobId: string, retries: number, outputs: readonly string[]): number[][];
  /** The run's stream was asked for in this time as often as can be expected, and every answer was spoilt. */
  wasAskedInVain(jobId: string, fromMs: number, untilMs: number): boolean;
  /** How many of the run's chunks were taken off its stream, whether or not they arrived. */
  takenCount(jobId: string, retries: number): number;
  /** A submission of this kind could have lost its answer in this time. */
  couldLoseAnswer(of: { endpointId: string; operation: string; fromMs: number; untilMs: number }): boolean;
  /** The status of this job was answered beyond what is ever read. */
  wasBeyondReading(jobId: string): boolean;
  /** Answers of 429 that no fault gave. */
  overLimit(): number;
  /** The longest time without a break within these two moments in which a read is not spoilt for certain. */
  reachMs(operation: 'status' | 'stream', fromMs: number, untilMs: number): number;
}

/** Begins to write down what the sandbox answers, with the rules that are in force from now on. */
export function createServiceLog(
  sandbox: Sandbox,
  { rules, dialect, nowMs }: { rules: readonly FaultRule[]; dialect: Dialect; nowMs: number },
): ServiceLog {
  const reads = new Map<string, RequestLogEntry[]>();
  const spoiltReads = new Map<string, RequestLogEntry[]>();
  const submissions: RequestLogEntry[] = [];
  const tooLong = new Set<string>();
  const isSpoilt = ({ fault }: RequestLogEntry): boolean => fault !== null && !harmless.includes(fault);
  const note = (of: Map<string, RequestLogEntry[]>, jobId: string, entry: RequestLogEntry): void =>
    void of.set(jobId, [...(of.get(jobId) ?? []), entry]);
  let overLimit = 0;
  sandbox.requestLog.listen((entry) => {
    const { operation, jobId, fault, status } = entry;
    if (status === 429 && fault === null) overLimit += 1;
    if (operation === 'run' || operation === 'runsync') submissions.push(entry);
    if (jobId === null) return;
    if (operation === 'status' && fault !== null && beyondReading.includes(fault)) tooLong.add(jobId);
    if (operation === 'stream' && isSpoilt(entry)) note(spoiltReads, jobId, entry);
    if (operation === 'stream' && entry.told !== null) note(reads, jobId, entry);
  });
  const readsOf = (jobId: string, retries: number): RequestLogEntry[] =>
    (reads.get(jobId) ?? []).filter(({ told }) => told?.retries === retries);

  /** Times in which every read of this kind is spoilt. */
  function closures(operation: 'status' | 'stream'): { fromMs: number; untilMs: number }[] {
    const whole = rules
      .filter(
        ({ kind, probability = 1, times }) => probability === 1 && times === undefined && !harmless.includes(kind),
      )
      .filter((rule) => (rule.operation ?? operation) === operation);
    return whole
      .map(({ fromMs = 0, forMs = Infinity }) => ({ fromMs: nowMs + fromMs, untilMs: nowMs + fromMs + forMs }))
      .toSorted((a, b) => a.fromMs - b.fromMs);
  }

  return {
    arrived: (jobId, retries, outputs) =>
      readsOf(jobId, retries).map((entry) => arrivedChunks(entry, outputs, dialect === 'observed')),
    wasAskedInVain(jobId, fromMs, untilMs) {
      const spoilt = (spoiltReads.get(jobId) ?? []).filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
      // One that was told to wait does not ask again.
      return spoilt.length > 1 || spoilt.some(({ status }) => status === 429);
    },
    takenCount: (jobId, retries) =>
      readsOf(jobId, retries).reduce((most, { told }) => Math.max(most, told?.to ?? 0), 0),
    couldLoseAnswer: ({ endpointId, operation, fromMs, untilMs }) =>
      submissions
        .filter((entry) => entry.endpointId === endpointId && entry.operation === operation)
        .filter(({ atMs }) => atMs >= Math.floor(fromMs) && atMs <= untilMs)
        .some((entry) => entry.status === 0 || (isSpoilt(entry) && entry.status !== 429)),
    wasBeyondReading: (jobId) => tooLong.has(jobId),
    overLimit: () => overLimit,
    reachMs(operation, fromMs, untilMs) {
      let longestMs = 0;
      let openSinceMs = fromMs;
      for (const closure of closures(operation)) {
        longestMs = Math.max(longestMs, Math.min(closure.fromMs, untilMs) - openSinceMs);
        openSinceMs = Math.max(openSinceMs, closure.untilMs);
      }
      return Math.max(longestMs, untilMs - openSinceMs);
    },
  };
}
