import type { FaultKind, FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { RequestLogEntry } from '../../../../src-main/sandbox/server/request-log.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import { goneAfter } from '../../../../src-preload/job.ts';
import { arrivedChunks } from '../../../kit/arrived-chunks.ts';

/** Faults under which the service does what was requested and the client can read that it did. */
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
/** Answers that are longer than any client must read (ruling 43). */
const beyondReading: readonly FaultKind[] = ['huge', 'compressed'];
/** Answers to a status read that say of an ended job that it is not over. */
const untrue: readonly FaultKind[] = ['late-in-progress', 'unknown-status'];
/** If two faults hit one answer, the log names the first. With one of these, the answer may also be untrue. */
const beforeUntrue: readonly FaultKind[] = ['delay', 'deep', 'large'];
/** Answers in which a bare list has its last chunk in a form that it has in no other answer. */
const padding: readonly FaultKind[] = ['deep', 'large', 'compressed'];

/**
 * How long the app waits for a stream read that hangs, when the next read may be the last: the service may hold it for
 * ten seconds.
 */
const hungMs = 12_000;
/**
 * After a 429 to a stream read of any job, none is sent before the pause is over (ruling 10): four seconds and a
 * back-off.
 */
const heldMs = 5_000;
/** Otherwise the last reads follow each other every second, plus their own duration. */
const longestGapMs = 5_000;
/** After this many spoilt answers, no more can be expected. */
const enoughAnswers = 3;
/** The endpoint is checked when a job is unknown. For a while the result counts for other jobs as well. */
const aboutEndpointMs = 10_000;

interface Asked {
  jobId: string;
  endpointId: string;
  fromMs: number;
  untilMs: number;
}

/** What the service knows of its own answers: which of them could be read, and which chunks left in them. */
export interface ServiceLog {
  /** Chunks of each answer to a read of this run's stream that could be read. The run is the one after `retries`. */
  arrived(jobId: string, retries: number, outputs: readonly string[]): number[][];
  /** A chunk of the run was sent again in another form, so that nothing shows that it is the same. */
  wasToldOtherwise(jobId: string, retries: number): boolean;
  /** The job's stream was read throughout this time, and every answer was spoilt. */
  wasStreamInVain(asked: Asked): boolean;
  /** The job's status was read in this time, and every answer was spoilt or untrue. */
  wasStatusInVain(asked: Asked): boolean;
  /** By then the service itself had answered, three times over a minute, that it does not know the job (ruling 34). */
  wasSaidGone(asked: Omit<Asked, 'fromMs'>): boolean;
  /**
   * The service answered just before that it does not know the endpoint, which is then why a job is gone (ruling 11).
   */
  wasEndpointDenied(endpointId: string, atMs: number): boolean;
  /** How many of the run's chunks were removed from its stream, whether or not they arrived. */
  takenCount(jobId: string, retries: number): number;
  /** A submission of this kind could have lost its answer in this time. */
  couldLoseAnswer(of: { endpointId: string; operation: string; fromMs: number; untilMs: number }): boolean;
  /** The answer to this job's status exceeded what is ever read. */
  wasBeyondReading(jobId: string): boolean;
  /** Answers of 429 that no fault caused. */
  overLimit(): number;
  /** The longest uninterrupted time between these two moments in which a read is not certain to be spoilt. */
  reachMs(operation: 'status' | 'stream', fromMs: number, untilMs: number): number;
}

/** Begins to record the sandbox's answers, with the rules that are active from now on. */
export function createServiceLog(
  sandbox: Sandbox,
  { rules, dialect, nowMs }: { rules: readonly FaultRule[]; dialect: Dialect; nowMs: number },
): ServiceLog {
  const reads = new Map<string, RequestLogEntry[]>();
  const asks: RequestLogEntry[] = [];
  const mayBeUntrue = rules.some(({ kind }) => untrue.includes(kind)) ? [...untrue, ...beforeUntrue] : untrue;
  const submissions: RequestLogEntry[] = [];
  const tooLong = new Set<string>();
  const isSpoilt = ({ fault }: RequestLogEntry): boolean => fault !== null && !harmless.includes(fault);
  const isDenial = ({ fault, status }: RequestLogEntry): boolean =>
    fault === 'status' && (status === 404 || status === 410);
  const note = (of: Map<string, RequestLogEntry[]>, jobId: string, entry: RequestLogEntry): void =>
    void of.set(jobId, [...(of.get(jobId) ?? []), entry]);
  let overLimit = 0;
  sandbox.requestLog.listen((entry) => {
    const { operation, jobId, fault, status } = entry;
    if (status === 429 && fault === null) overLimit += 1;
    if (operation === 'run' || operation === 'runsync') submissions.push(entry);
    if (operation === 'stream' || operation === 'status' || operation === 'health') asks.push(entry);
    if (jobId === null) return;
    if (operation === 'status' && fault !== null && beyondReading.includes(fault)) tooLong.add(jobId);
    if (operation === 'stream' && entry.sentChunks !== null) note(reads, jobId, entry);
  });
  const readsOf = (jobId: string, retries: number): RequestLogEntry[] =>
    (reads.get(jobId) ?? []).filter(({ sentChunks }) => sentChunks?.retries === retries);

  const asksIn = (
    operation: 'stream' | 'status' | 'health',
    { endpointId, fromMs, untilMs }: Omit<Asked, 'jobId'>,
  ): RequestLogEntry[] =>
    asks.filter(
      (entry) =>
        entry.operation === operation &&
        entry.endpointId === endpointId &&
        entry.atMs >= fromMs &&
        entry.atMs < untilMs,
    );

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
    wasToldOtherwise: (jobId, retries) =>
      dialect === 'spec' &&
      readsOf(jobId, retries).some(
        ({ fault, sentChunks }) =>
          fault !== null && padding.includes(fault) && sentChunks !== null && sentChunks.to > sentChunks.from,
      ),
    wasStreamInVain(asked) {
      const { jobId, fromMs, untilMs } = asked;
      const all = asksIn('stream', { ...asked, fromMs: fromMs - hungMs });
      const own = all.filter((entry) => entry.jobId === jobId);
      const delivery = all
        .filter((entry) => entry.jobId === jobId || entry.status === 429)
        .toSorted((a, b) => a.atMs - b.atMs);
      let coveredMs = fromMs;
      for (const { atMs, fault, status } of delivery) {
        if (atMs - coveredMs > longestGapMs) return false;
        coveredMs = Math.max(coveredMs, atMs + (status === 429 ? heldMs : fault === 'hang' ? hungMs : 0));
      }
      return own.every((entry) => entry.atMs < fromMs || isSpoilt(entry)) && untilMs - coveredMs <= longestGapMs;
    },
    wasStatusInVain(asked) {
      const own = asksIn('status', asked).filter(({ jobId }) => jobId === asked.jobId);
      const isUntrue = ({ fault }: RequestLogEntry): boolean => fault !== null && mayBeUntrue.includes(fault);
      // A client that got the untrue answer may believe it, and so believe that the result stays for as long again.
      return (
        own.every((entry) => isSpoilt(entry) || isUntrue(entry)) && (own.length >= enoughAnswers || own.some(isUntrue))
      );
    },
    wasSaidGone(asked) {
      const own = asksIn('status', { ...asked, fromMs: 0 }).filter(({ jobId }) => jobId === asked.jobId);
      const since = own.slice(own.findLastIndex((entry) => !isSpoilt(entry)) + 1).filter(isDenial);
      return since.length >= goneAfter.answers && (since.at(-1)?.atMs ?? 0) - (since[0]?.atMs ?? 0) >= goneAfter.overMs;
    },
    wasEndpointDenied: (endpointId, atMs) =>
      asksIn('health', { endpointId, fromMs: atMs - aboutEndpointMs, untilMs: atMs + 1 }).some(isDenial),
    takenCount: (jobId, retries) =>
      readsOf(jobId, retries).reduce((max, { sentChunks }) => Math.max(max, sentChunks?.to ?? 0), 0),
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
