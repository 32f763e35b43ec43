import type { Job } from '../../../../src-preload/job.ts';
import type { Fate, Run } from '../one-clock/played-jobs.ts';
import type { Scene } from '../one-clock/scene.ts';
import type { ServiceLog } from './service-log.ts';

export interface StreamFigures {
  streams: number;
  /** Streams saved chunk for chunk as they were sent. */
  exactStreams: number;
  /** Streams without the chunks that left the service in answers that never arrived, and that no output contains. */
  holedStreams: number;
  /** Chunks that no client could have read. */
  lostOnTheWay: number;
  /**
   * Not completed, with repeated chunks because the service sent them twice: before three different ones had come, or
   * not from the start, so that ruling 2 does not recognise it.
   */
  doubledStreams: number;
  /** Completed streams without any readable chunk. The output has them. */
  streamsOnlyInOutput: number;
}

/** One run's stream: as the worker yielded it, as it could be read, and as it is saved. */
interface KeptStream {
  kept: readonly string[];
  /** What left the worker, in order. */
  sent: readonly string[];
  /** Chunks of each answer that could be read, repetitions included, in order. */
  answers: readonly (readonly number[])[];
  /**
   * An answer contained a chunk twice in a row, or in another form than another answer: nothing shows which of them are
   * the same.
   */
  isToldOddly: boolean;
  /** Chunks that could be read: they arrived, or were ready while the service could be reached. */
  due: ReadonlySet<number>;
  /** The output of a completed attempt lists all chunks, and the stream is completed from it. */
  isCompleted: boolean;
}

/**
 * A chunk that was ready for this long, with no read certain to be spoilt, is due: a minute (ruling 37) after a closure
 * (ruling 35).
 */
const maxPauseMs = 6 * 60_000;
const minuteMs = 60_000;
/** Shortly before a job's ttl ends, its stream is read a last time (ruling 37). What was ready by then is due. */
const lastReadMs = 10_000;

/**
 * What is wrong with the streams of a job's attempts. Null: every chunk that could be read is saved, once and in order.
 */
export async function judgeStreams(
  job: Job,
  fate: Fate,
  runs: readonly Run[],
  { scene, log }: { scene: Scene; log: ServiceLog },
  figures: StreamFigures,
): Promise<string | null> {
  const { jobId, endedAtMs, removedAtMs, retriedAtMs } = fate;
  const yields = scene.played.yields(jobId);
  // A stream is no longer read when the service has said that it is gone. Until then it is read at least once a minute
  // (ruling 37).
  const isGone =
    job.phase === 'gone' &&
    job.finishedSeenAtMs !== null &&
    log.wasSaidGone({ jobId, endpointId: job.endpointId, untilMs: job.finishedSeenAtMs + 1 });
  const goneAtMs = isGone ? (job.finishedSeenAtMs ?? Infinity) : Infinity;
  for (let attempt = 1; attempt <= job.attempt; attempt += 1) {
    const run = runs[Math.min(attempt, runs.length) - 1];
    const yieldedAtMs = yields[attempt - 1] ?? [];
    if (run === undefined || run.chunks === null) continue;
    figures.streams += 1;
    const sent = run.chunks.slice(0, yieldedAtMs.length).map(({ value }) => JSON.stringify(value));
    const answers = log.arrived(jobId, attempt - 1, sent);
    const arrived = answers.flat();
    const taken = log.takenCount(jobId, attempt - 1);
    const untilMs = retriedAtMs[attempt - 1] ?? removedAtMs ?? Infinity;
    const isAway = (chunk: number): boolean =>
      goneAtMs < untilMs && (yieldedAtMs[chunk] ?? Infinity) > goneAtMs - minuteMs;
    const isKnown = (chunk: number): boolean =>
      chunk >= taken &&
      !isAway(chunk) &&
      isInReach(log, { jobId, endpointId: job.endpointId, fromMs: yieldedAtMs[chunk] ?? Infinity, untilMs });
    const due = new Set(sent.map((_, chunk) => chunk).filter((chunk) => arrived.includes(chunk) || isKnown(chunk)));
    const stored = await scene.running().history.chunks(job.key, attempt, 0, 10_000);
    const kept = stored.map(({ outputJson }) => outputJson);
    const isCompleted = attempt === job.attempt && job.status === 'COMPLETED' && endedAtMs !== null;
    const isTwice = answers.some((chunks) => chunks.some((chunk, at) => chunk === chunks[at - 1]));
    const isToldOddly = isTwice || log.wasToldOtherwise(jobId, attempt - 1);
    const complaint = judgeStream({ kept, sent, answers, isToldOddly, due, isCompleted }, figures);
    if (complaint === null) continue;
    const came = answers.map((chunks) => chunks.join(' ')).join(' | ');
    return `attempt ${attempt}: ${complaint}: ${kept.map(indexIn).join(' ')} of ${sent.length}; arrived ${came}`;
  }
  return null;
}

function isInReach(log: ServiceLog, asked: Parameters<ServiceLog['wasStreamInVain']>[0]): boolean {
  const { fromMs, untilMs } = asked;
  // Still there when the app has stopped reading: nothing prevented it from continuing.
  if (untilMs === Infinity || log.reachMs('stream', fromMs, untilMs) >= maxPauseMs) return true;
  const lastMs = untilMs - lastReadMs;
  if (fromMs > lastMs || log.reachMs('stream', lastMs, untilMs) < lastReadMs) return false;
  return !log.wasStreamInVain({ ...asked, fromMs: lastMs });
}

function judgeStream(stream: KeptStream, figures: StreamFigures): string | null {
  const { kept, sent, answers, isToldOddly, due, isCompleted } = stream;
  if (kept.join() === sent.join()) {
    figures.exactStreams += 1;
    return null;
  }
  const strange = kept.find((chunk) => !sent.includes(chunk));
  if (strange !== undefined) return `holds ${strange}, which was never sent`;
  if (isCompleted) {
    if (kept.length > 0) return 'is not the list of its output';
    if (due.size > 0) return 'is kept as output only';
    figures.streamsOnlyInOutput += 1;
    return null;
  }
  const missing = [...due].filter((chunk) => !kept.includes(sent[chunk] ?? ''));
  if (missing.length > 0) return `chunks ${missing.join(' ')} are missing`;
  const told = answers.flat().map((chunk) => sent[chunk] ?? '');
  const tooOften = kept.find((chunk) => count(kept, chunk) > Math.max(1, count(told, chunk)));
  if (tooOften !== undefined) return `holds ${tooOften} more often than it was told`;

  const isOnce = new Set(kept).size === kept.length;
  figures.lostOnTheWay += sent.length - new Set(kept).size;
  if (isOnce) {
    figures.holedStreams += 1;
    return isSubsequence(kept, sent) ? null : 'chunks are out of order';
  }
  figures.doubledStreams += 1;
  if (isToldOddly) return null;
  const byRuling = keptByRuling(answers).map((chunk) => sent[chunk] ?? '');
  const isTellable = kept.some((chunk) => count(kept, chunk) > Math.max(1, count(byRuling, chunk)));
  return isTellable ? 'chunks are doubled' : null;
}

/**
 * What ruling 2 keeps of these answers: of one that begins with everything before it, only the rest. Fewer than three
 * different chunks may come again by chance. Then all are kept, as a server that drains would have meant it.
 */
function keptByRuling(answers: readonly (readonly number[])[]): number[] {
  let kept: number[] = [];
  for (const answer of answers) {
    const beginning = answer.slice(0, kept.length);
    const isRepeated = new Set(beginning).size >= 3 && beginning.every((chunk, at) => chunk === kept[at]);
    kept = isRepeated ? [...kept, ...answer.slice(kept.length)] : [...kept, ...answer];
  }
  return kept;
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let from = 0;
  return part.every((chunk) => {
    const at = whole.indexOf(chunk, from);
    from = at + 1;
    return at !== -1;
  });
}

function count(chunks: readonly string[], wanted: string): number {
  return chunks.filter((chunk) => chunk === wanted).length;
}

function indexIn(chunk: string): string {
  return /"index":(\d+)/.exec(chunk)?.[1] ?? chunk;
}
