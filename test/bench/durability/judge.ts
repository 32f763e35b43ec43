import type { JobPhase } from '../../../src-preload/job.ts';
import { dueChunks } from './due-chunks.ts';
import type { BenchRead, Kill } from './due-chunks.ts';
import type { Intent } from './intents.ts';

/** An intent with the result of submitting it. */
export interface AskedIntent extends Pick<Intent, 'marker' | 'end' | 'chunks' | 'output'> {
  /** `none`: the client was killed before it answered. */
  answer: 'taken' | 'refused' | 'none';
  /** When the clients of its folder were killed. */
  kills: readonly Kill[];
  /** From each start of the client until it accepted requests, in milliseconds. */
  startMs: readonly number[];
}

/** A job as the service knows it: from its own transition log and its workers. */
export interface ServiceJob {
  id: string;
  /** Null: it never ran. */
  marker: string | null;
  /** Null: it is not over, or its ttl ended it. */
  end: string | null;
  /** The service has deleted its record. */
  isRemoved: boolean;
  /** The reads of its stream. */
  reads: readonly BenchRead[];
}

/** A job as the client has it on disk when everything is settled. */
export interface SavedJob {
  key: string;
  marker: string;
  id: string | null;
  phase: JobPhase;
  status: string | null;
  output: string | null;
  error: string | null;
  /** Outputs as JSON texts, in the saved order. */
  chunks: string[];
  rebuiltChunks: number;
  /** Its output or error is on disk. Its stream may still be read. */
  isResultSaved: boolean;
}

/** The most that any of a client's lives last reported of a job to its listeners. */
export interface Reported {
  chunkCount: number;
  isResultSaved: boolean;
}

export interface Ledgers {
  intents: readonly AskedIntent[];
  service: readonly ServiceJob[];
  kept: readonly SavedJob[];
  reported: ReadonlyMap<string, Reported>;
}

/** Each entry names its subject, to help find the cause. */
export interface Verdict {
  /** Over on the service, known here by its id, and without its result here. */
  lostResults: string[];
  /**
   * Could be read and were not saved: all chunks of completed streams, and those of failed and ttl-ended streams that
   * arrived or could still be read.
   */
  lostChunks: string[];
  /** Saved and never sent. For completed streams also: saved more than once. */
  doubledChunks: string[];
  /** Completed streams with every chunk saved once, in another order. */
  misplacedStreams: string[];
  /** More jobs on the service than were submitted. */
  doubledSubmissions: string[];
  /**
   * Accepted here, or run by the service, and not in the history; or in the history without the note that the outcome
   * is unknown.
   */
  missingIntents: string[];
  /** Listeners were called with more than is on disk. */
  reportedTooMuch: string[];
  /** Still waiting for a change. */
  unsettled: string[];
  /** Marked as unknown, which is allowed. */
  outcomeUnknown: string[];
  /** The number of these that the service has. */
  outcomeUnknownButTaken: number;
  /** Completed streams of which no chunk could be read: everything is here, as the output. */
  streamsOnlyInOutput: string[];
  /**
   * For streams that did not complete: saved more than once, because nothing shows that the service sent them twice.
   */
  doubledChunksUnexplained: number;
  /** For streams that did not complete: in answers that never arrived, and in answers in progress at a kill. */
  chunksLostOnTheWay: number;
  chunksInProgressAtKill: number;
  rebuiltChunks: number;
}

/**
 * Compares what a client has on disk with what was submitted and with what the service did. Pure. All jobs of the
 * service must be over, and the client at rest.
 */
export function judge({ intents, service, kept, reported }: Ledgers): Verdict {
  const verdict: Verdict = {
    lostResults: [],
    lostChunks: [],
    doubledChunks: [],
    misplacedStreams: [],
    doubledSubmissions: [],
    missingIntents: [],
    reportedTooMuch: [],
    unsettled: [],
    outcomeUnknown: [],
    outcomeUnknownButTaken: 0,
    streamsOnlyInOutput: [],
    doubledChunksUnexplained: 0,
    chunksLostOnTheWay: 0,
    chunksInProgressAtKill: 0,
    rebuiltChunks: 0,
  };
  const serviceById = new Map(service.map((job) => [job.id, job]));
  const runs = grouped(service, ({ marker }) => marker);
  const keptByMarker = grouped(kept, ({ marker }) => marker);

  for (const intent of intents) {
    const { marker } = intent;
    const runsOfIt = runs.get(marker) ?? [];
    const keptOfIt = keptByMarker.get(marker) ?? [];
    if (runsOfIt.length > 1) verdict.doubledSubmissions.push(`${marker}: ${runsOfIt.length} jobs on the service`);
    if (keptOfIt.length > 1) verdict.doubledSubmissions.push(`${marker}: ${keptOfIt.length} jobs in the history`);
    const [job] = keptOfIt;
    if (job === undefined) {
      if (intent.answer === 'taken' || runsOfIt.length > 0)
        verdict.missingIntents.push(
          `${marker}: answered ${intent.answer}, ${runsOfIt.length} on the service, not in the history`,
        );
      continue;
    }
    verdict.rebuiltChunks += job.rebuiltChunks;
    if (job.phase === 'outcome-unknown') {
      verdict.outcomeUnknown.push(marker);
      verdict.outcomeUnknownButTaken += Math.min(1, runsOfIt.length);
    } else if (job.phase === 'waiting' || job.phase === 'submitting' || job.phase === 'active') {
      verdict.unsettled.push(`${marker}: ${job.phase} ${job.status}`);
    } else if (job.id === null && runsOfIt.length > 0) {
      verdict.missingIntents.push(`${marker}: ${job.phase} without an id, and the service has it`);
    }
    const ran = job.id === null ? undefined : serviceById.get(job.id);
    if (ran === undefined) continue;
    const { end } = ran;
    if (end === 'COMPLETED' || end === 'FAILED') judgeResult(verdict, intent, job, end);
    else if (job.phase === 'gone' && !ran.isRemoved)
      verdict.lostResults.push(`${marker}: called gone, and on the service`);
    judgeStream(verdict, intent, job, ran);
  }
  const sentBy = new Map(intents.map(({ marker, chunks }) => [marker, chunks]));
  for (const job of kept) {
    const max = reported.get(job.key);
    if (max === undefined) continue;
    // Repeated chunks may have been removed since.
    const areChunksThere = max.chunkCount <= job.chunks.length || isWhole(sentBy.get(job.marker) ?? [], job.chunks);
    if (!areChunksThere || (max.isResultSaved && !job.isResultSaved))
      verdict.reportedTooMuch.push(
        `${job.marker}: reported ${max.chunkCount} chunks, ${job.chunks.length} kept, ${job.phase}`,
      );
  }
  return verdict;
}

function isWhole(sent: readonly string[], kept: readonly string[]): boolean {
  return sent.length === kept.length && sent.every((chunk, at) => chunk === kept[at]);
}

function judgeResult(verdict: Verdict, intent: AskedIntent, job: SavedJob, end: string): void {
  const { marker } = intent;
  const isSaved =
    job.status === end &&
    (end === 'COMPLETED' ? isSameJson(job.output, intent.output) : (job.error ?? '').includes(marker));
  if (!isSaved)
    verdict.lostResults.push(
      `${marker}: ${end} on the service; here ${job.phase} ${job.status}, output ${job.output?.slice(0, 60)}, error ${job.error?.slice(0, 60)}`,
    );
}

function judgeStream(
  verdict: Verdict,
  { marker, chunks, kills, startMs }: AskedIntent,
  job: SavedJob,
  ran: ServiceJob,
): void {
  const { due, lostOnTheWay, inProgressAtKill } = dueChunks({
    reads: ran.reads,
    outputs: chunks,
    kills,
    startMs,
    isRemoved: ran.isRemoved,
  });
  const { lost, doubled, invented } = compareChunks(chunks, job.chunks);
  verdict.doubledChunks.push(...invented.map((chunk) => `${marker}: ${chunk}`));
  if (ran.end !== 'COMPLETED') {
    const lostDue = lost.filter((chunk) => due.has(chunks.indexOf(chunk)));
    verdict.lostChunks.push(...lostDue.map((chunk) => `${marker}, ${ran.end ?? 'ended by its ttl'}: ${chunk}`));
    verdict.doubledChunksUnexplained += doubled.length;
    verdict.chunksLostOnTheWay += lostOnTheWay;
    verdict.chunksInProgressAtKill += inProgressAtKill;
    return;
  }
  if (job.chunks.length === 0 && chunks.length > 0 && due.size === 0 && job.output !== null) {
    verdict.streamsOnlyInOutput.push(marker);
    return;
  }
  const onlyInOutput = job.chunks.length === 0 && job.output !== null ? ', kept as output only' : '';
  verdict.lostChunks.push(...lost.map((chunk) => `${marker}${onlyInOutput}: ${chunk}`));
  verdict.doubledChunks.push(...doubled.map((chunk) => `${marker}: ${chunk}`));
  if (lost.length + doubled.length + invented.length === 0 && !isWhole(chunks, job.chunks))
    verdict.misplacedStreams.push(marker);
}

/** All chunks of a run are different, so counting them shows everything except their order. */
function compareChunks(
  sent: readonly string[],
  kept: readonly string[],
): { lost: string[]; doubled: string[]; invented: string[] } {
  const left = new Set(sent);
  const more = kept.filter((chunk) => !left.delete(chunk));
  return {
    lost: [...left],
    doubled: more.filter((chunk) => sent.includes(chunk)),
    invented: more.filter((chunk) => !sent.includes(chunk)),
  };
}

function isSameJson(one: string | null, other: string | null): boolean {
  return one === null || other === null
    ? one === other
    : JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
