import type { ServiceFailure } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import type { History, NewChunk } from '../history/history.ts';
import { backoffMs } from '../service/rate-governor.ts';
import type { JobRecord, StreamReply } from '../service/reply.ts';
import { streamIntervalMs } from './cadence.ts';
import type { Dispatch } from './dispatch.ts';
import type { Follow, Follows, StreamFollow } from './follow.ts';
import { groupIdOf } from './groups.ts';
import type { Insist } from './insist.ts';
import type { JobEvent } from './job-event.ts';
import type { Ledger } from './ledger.ts';
import { isSettling } from './reducer.ts';
import { fingerprint, sift } from './replay.ts';
import type { Sifted } from './replay.ts';
import { salvageChunks } from './salvage.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A drain that fails this often is given up: where the endpoint's last jobs had no stream, where nobody knows, and where chunks came already. */
const drainTries = { onSilentEndpoint: 3, withoutChunks: 8, withChunks: 12 };
/** An endpoint whose last jobs gave no chunk is read less eagerly; see `streamIntervalMs`. */
const silentJobs = 3;
/** Empty reads that count for a job that was not seen running: enough for the longest pause, too few to leave it alone. */
const mostEmptyUnstarted = 6;
/** Stored chunks read at a time for their fingerprints. */
const pageSize = 2_000;

export interface StreamReader {
  /** When this live job's stream is to be read next; null: not now. */
  dueAtMs(job: Job, follow: Follow, view: StreamView): number | null;
  /** The job's stream is to be collected as soon as the job is known to run. */
  isAwaited(job: Job, follow: Follow): boolean;
  /** Reads once, commits what is new, and tells it. The caller made sure that it is due. */
  read(job: Job): Promise<void>;
  /**
   * Events that end a job whose final `record` just came, when nothing has to be drained: its stream was refused, or
   * the endpoint's last jobs gave no chunk and this one's output is not the list that a streaming handler leaves.
   */
  endWithoutDrain(job: Job, record: JobRecord): JobEvent[];
}

export interface StreamView {
  isWatched: boolean;
  isWindowVisible: boolean;
  /** When a job that was not seen running likely began; asked only where that matters. */
  startsAtMs: () => number | null;
}

export interface StreamReaderParts {
  ledger: Ledger;
  follows: Follows;
  dispatch: Dispatch;
  subscriptions: Subscriptions;
  insist: Insist;
  history: History;
  now: () => number;
  random: () => number;
}

/**
 * One reader a job, however many panes show it (ruling 2). A read may take the chunks off the service, so each reply is
 * committed before anyone is told. When the job is final it is read until it gives nothing more, and only then is the
 * job finished here; a crash in between finds it still to be drained.
 */
export function createStreamReader(parts: StreamReaderParts): StreamReader {
  const { ledger, follows, dispatch, subscriptions, insist, history, now, random } = parts;
  const silence = new Map<string, number>();
  /** Endpoints that gave chunks in this run of the app. */
  const streaming = new Set<string>();

  const isSilent = (job: Job): boolean => (silence.get(groupOf(job)) ?? 0) >= silentJobs;

  function dueAtMs(job: Job, follow: Follow, view: StreamView): number | null {
    const { stream } = follow;
    if (job.phase !== 'active') return null;
    if (isSettling(job)) return stream.notBeforeMs;
    if (stream.isRefused) return null;
    const notBeforeMs = job.startedSeenAtMs === null ? likelyBegunAtMs(job, view) : 0;
    if (notBeforeMs === null) return null;
    const intervalMs = streamIntervalMs({
      isAttended: view.isWatched || subscriptions.isAttended(job.key),
      isWindowVisible: view.isWindowVisible,
      emptyReads: stream.emptyReads,
      hasChunks: job.chunkCount > 0,
      isEndpointSilent: isSilent(job),
      isKeptWhole: job.isKeptWhole !== false,
    });
    if (intervalMs === null) return null;
    return Math.max(notBeforeMs, stream.readAtMs === null ? 0 : stream.readAtMs + intervalMs, stream.notBeforeMs);
  }

  /**
   * A job that is not known to run has nothing to tell yet. But where jobs stream, one that likely runs is asked for
   * its chunks all the same, without a look before: what came in parts survives the loss of any one reply.
   */
  function likelyBegunAtMs(job: Job, { startsAtMs }: StreamView): number | null {
    return job.isKeptWhole !== false && !isSilent(job) && streaming.has(groupOf(job)) ? startsAtMs() : null;
  }

  async function read(job: Job): Promise<void> {
    const { jobId, attempt } = job;
    if (jobId === null) return;
    const { stream } = follows.of(job);
    // There is nothing to read any more, and what came before has to be mended.
    if (stream.isRefused) return await finish(job);
    await loadMarks(job, stream);
    const wasSettling = isSettling(job);
    const sent = await dispatch.send({
      to: job,
      operation: 'stream',
      jobKey: job.key,
      call: (api, signal) => api.stream(job.endpointId, jobId, { signal }),
      describe: ({ chunks, status }) => `${chunks.length === 0 ? 'no new chunks' : `${chunks.length} ${chunks.length === 1 ? 'chunk' : 'chunks'}`}${status === null ? '' : `, ${status}`}`,
    });
    if (sent.kind !== 'answered') return;
    stream.readAtMs = now();
    if (!sent.result.ok) return await failed(job, stream, sent.result.failure);
    stream.failures = 0;
    stream.notBeforeMs = 0;
    await keep(job, stream, sent.result.value, wasSettling, attempt);
  }

  async function keep(job: Job, stream: StreamFollow, reply: StreamReply, wasSettling: boolean, attempt: number): Promise<void> {
    const freshCount = await keepFresh(job, stream, sift(stream.replay, stream.marks ?? [], reply.chunks));
    // One that only likely runs is not given up: it may still stand in the queue.
    stream.emptyReads = freshCount > 0 ? 0 : job.startedSeenAtMs === null ? Math.min(stream.emptyReads + 1, mostEmptyUnstarted) : stream.emptyReads + 1;

    const isEmptied = reply.chunks.length === 0 || (stream.replay.mode === 'repeats' && freshCount === 0);
    const current = ledger.live().get(job.key)?.job;
    if (current === undefined || current.attempt !== attempt) return;
    if (isSettling(current)) {
      // A read that left before the end was known may have missed the last chunks.
      if (wasSettling && isEmptied) await finish(current);
    } else if (reply.status !== null && reply.status !== current.status) {
      follows.of(current).isLookWanted = true;
    }
  }

  /** Commits what is new, then tells it. Answers how much that is. */
  async function keepFresh(job: Job, stream: StreamFollow, { state, fresh }: Sifted): Promise<number> {
    if (fresh.length > 0) {
      streaming.add(groupOf(job));
      // The service has forgotten them by now.
      const placed = await insist.insist(() => ledger.keepChunks(job.key, job.attempt, fresh));
      subscriptions.kept(job.key, job.attempt, placed);
    }
    stream.replay = state;
    stream.marks ??= [];
    for (const chunk of fresh) stream.marks.push(fingerprint(chunk));
    return fresh.length;
  }

  async function failed(job: Job, stream: StreamFollow, failure: ServiceFailure): Promise<void> {
    if (failure.kind === 'unauthorized' || failure.kind === 'rate-limited' || failure.kind === 'cancelled') return;
    const isBroken = failure.httpStatus !== undefined && failure.httpStatus < 300;
    if (isBroken && failure.rawReply !== undefined) await keepFresh(job, stream, sift(stream.replay, stream.marks ?? [], salvageChunks(failure.rawReply), true));
    if (failure.kind === 'malformed') await ledger.change(job.key, [{ kind: 'malformed', failure }]);
    const current = ledger.live().get(job.key)?.job ?? job;
    const saysNo = failure.httpStatus !== undefined && failure.httpStatus < 500 && !isBroken;
    if (saysNo || failure.httpStatus === 501) {
      stream.isRefused = true;
      // A 404 may be about the job, not about its stream.
      if (failure.kind === 'not-found') follows.of(current).isLookWanted = true;
      if (isSettling(current)) await finish(current);
      return;
    }
    stream.notBeforeMs = now() + Math.max(failure.retryAfterMs ?? 0, backoffMs(stream.failures, random));
    // While the service cannot be reached at all, nothing is given up.
    if (failure.httpStatus === undefined) return;
    stream.failures += 1;
    const mostTries = current.chunkCount > 0 ? drainTries.withChunks : isSilent(current) ? drainTries.onSilentEndpoint : drainTries.withoutChunks;
    const isHopeless = stream.failures >= mostTries;
    if (!isHopeless) return;
    if (isSettling(current)) await finish(current);
    // It errs while the job runs: left alone until the end.
    else if (current.chunkCount === 0) stream.emptyReads = Math.max(stream.emptyReads, 8);
  }

  async function finish(job: Job): Promise<void> {
    const { stream } = follows.of(job);
    // Nothing came that told these from a repetition: what was received is kept rather than lost.
    const { mode, held } = stream.replay;
    if (mode !== 'repeats' && held.length > 0) await keepFresh(job, stream, { state: { mode: 'drains', held: [], doubts: 0 }, fresh: held });
    await insist.insist(() => mend(job));
    // Not given up either: the next read would only find again that nothing more comes.
    const ended = await insist.insist(() => ledger.change(job.key, [{ kind: 'drained', attempt: job.attempt }]));
    const group = groupOf(job);
    silence.set(group, (ended?.chunkCount ?? job.chunkCount) > 0 ? 0 : (silence.get(group) ?? 0) + 1);
  }

  /** Replies that never arrived have left holes; the output of a completed job may tell what was in them. */
  async function mend({ key, attempt, status }: Job): Promise<void> {
    if (status !== 'COMPLETED') return;
    const mended = await ledger.mendStream(key, attempt);
    if (mended !== null) subscriptions.replaced(key, attempt);
  }

  /** Fingerprints of what a former run stored. */
  async function loadMarks(job: Job, stream: StreamFollow): Promise<void> {
    if (stream.marks !== null) return;
    const marks: string[] = [];
    if (job.chunkCount > 0) {
      for (;;) {
        const page: NewChunk[] = await history.chunks(job.key, job.attempt, marks.length, pageSize);
        if (page.length === 0) break;
        for (const chunk of page) marks.push(fingerprint(chunk));
      }
    }
    stream.marks = marks;
  }

  return {
    dueAtMs,
    isAwaited: (job, { stream }) => job.phase === 'active' && job.startedSeenAtMs === null && job.isKeptWhole !== false && !stream.isRefused && !isSilent(job),
    read,
    endWithoutDrain(job, record) {
      const isStreamless = follows.of(job).stream.isRefused || (isSilent(job) && isPlainOutput(record.outputJson));
      return isStreamless && job.chunkCount === 0 ? [{ kind: 'drained', attempt: job.attempt }] : [];
    },
  };
}

/** A handler that streams leaves the list of its chunks, or nothing (field notes: Stream). */
function isPlainOutput(outputJson: string | null): boolean {
  return outputJson !== null && !outputJson.trimStart().startsWith('[');
}

/** Asked of every live job at every plan: a job as committed never changes. */
const groupIds = new WeakMap<Job, string>();

function groupOf(job: Job): string {
  let id = groupIds.get(job);
  if (id === undefined) groupIds.set(job, (id = groupIdOf(job)));
  return id;
}
