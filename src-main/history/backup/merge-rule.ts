import { isExternal, isTerminalStatus, type Attempt, type Job } from '../../../src-preload/job.ts';
import { markWord, noteLineOf, type Judgement, type Mark } from '../../../src-preload/judgement.ts';
import { heldBack } from './incoming.ts';
import { mergedJobText } from '../../messages/backup.ts';

/**
 * How a job that two histories have is merged (docs/decisions/055). Its state is the more complete one; its attempts
 * are those of both; what the user said of it on either side stays. Merging the same again changes nothing.
 */

/** A job of one history, without its texts. */
export interface KnownJob {
  job: Job;
  attempts: readonly Attempt[];
  note: string;
  /** The title Jobdeck would give it automatically. */
  automaticTitle: string;
}

/** What is needed of a connection to find the one of a job. */
export interface MergeConnection {
  id: string;
  baseUrl: string;
}

/**
 * A job of the other history that is new here, in the form in which it is saved: it is not tracked, and sends nothing.
 */
export function asComingFrom(theirs: Job, connections: readonly MergeConnection[]): Job {
  const {
    retryRequestedAtMs: _retryRequestedAtMs,
    notKnown: _notKnown,
    pendingStream: _pending,
    isLikelyThere: _likely,
    ...rest
  } = theirs;
  const job: Job = { ...heldBack(rest), connectionId: connectionFor(theirs, connections), isCancelling: false };
  if (job.phase !== 'active') return job;
  // Its end is saved, and only the rest of its stream was still being read there.
  if (job.isResultSaved && job.status !== null && isTerminalStatus(job.status)) return { ...job, phase: 'finished' };
  return { ...job, phase: 'orphaned', reason: { kind: 'prose', text: mergedJobText.activeElsewhere } };
}

/** The connection here that reaches the service it was sent to, or else the one it had. Its key is never included. */
function connectionFor(theirs: Job, connections: readonly MergeConnection[]): string {
  const same = connections.filter(({ baseUrl }) => baseUrl === theirs.baseUrl);
  return same.find(({ id }) => id === theirs.connectionId)?.id ?? same[0]?.id ?? theirs.connectionId;
}

/** Both as one, with the key and the connection that it has here. */
export function mergeJobs(
  mine: KnownJob,
  known: KnownJob,
  connections: readonly MergeConnection[],
): Omit<KnownJob, 'automaticTitle'> {
  const theirs = { ...known, job: asComingFrom(known.job, connections) };
  // What was not sent there when it was saved says nothing about its state here.
  const isUnsent = known.job.phase === 'waiting' || known.job.phase === 'submitting';
  const isTheirs = !isUnsent && compareStates(theirs.job, mine.job) > 0;
  const [richer, other] = isTheirs ? [theirs.job, mine.job] : [mine.job, theirs.job];
  const { title, ...own } = ownOf(mine, theirs);
  const { mark: _mark, label: _label, noteLine: _noteLine, outputForgottenAtMs, ...rest } = richer;
  const { inputForgottenAtMs: _inputForgotten, ...state } = rest;
  const isSameAttempt = richer.attempt === other.attempt;
  const job: Job = {
    ...state,
    ...(isSameAttempt ? timesOf(richer, other) : {}),
    key: mine.job.key,
    connectionId: mine.job.connectionId,
    baseUrl: mine.job.baseUrl,
    endpointId: mine.job.endpointId,
    jobId: richer.jobId ?? other.jobId,
    createdAtMs: Math.min(mine.job.createdAtMs, theirs.job.createdAtMs),
    batchId: mine.job.batchId ?? theirs.job.batchId,
    batchRow: mine.job.batchId === null ? theirs.job.batchRow : mine.job.batchRow,
    inputBytes: Math.max(mine.job.inputBytes, theirs.job.inputBytes),
    ...originOf(mine.job.originKey ?? theirs.job.originKey),
    // If either still has the output, the output is not deleted.
    ...(outputForgottenAtMs === undefined ||
    (isSameAttempt && other.outputForgottenAtMs === undefined && other.isResultSaved)
      ? {}
      : { outputForgottenAtMs }),
    ...inputForgottenOf(mine.job, theirs.job),
    isStarred: mine.job.isStarred || theirs.job.isStarred,
    isSeen: mine.job.isSeen || theirs.job.isSeen,
    tags: [...new Set([...mine.job.tags, ...theirs.job.tags])],
    title,
    ...judgementOf(own),
  };
  return { job, attempts: mergeAttempts(mine.attempts, theirs.attempts), note: own.note };
}

/** An input that one of them still has is an input. */
function inputForgottenOf(mine: Job, theirs: Job): Pick<Job, 'inputForgottenAtMs'> {
  const submittedHere = [mine, theirs].filter((job) => !isExternal(job));
  const timesMs = submittedHere.flatMap(({ inputForgottenAtMs }) => inputForgottenAtMs ?? []);
  return timesMs.length === 0 || timesMs.length < submittedHere.length
    ? {}
    : { inputForgottenAtMs: Math.max(...timesMs) };
}

function originOf(originKey: string | undefined): Pick<Job, 'originKey'> {
  return originKey === undefined ? {} : { originKey };
}

function judgementOf({ mark, label, note }: Omit<Own, 'title'>): Judgement {
  const noteLine = noteLineOf(note);
  return {
    ...(mark === undefined ? {} : { mark }),
    ...(label === undefined ? {} : { label }),
    ...(noteLine === undefined ? {} : { noteLine }),
  };
}

/** The times that one of them saw and the other did not. */
function timesOf(richer: Job, other: Job): Partial<Job> {
  return {
    acceptedAtMs: earlier(richer.acceptedAtMs, other.acceptedAtMs),
    startedSeenAtMs: earlier(richer.startedSeenAtMs, other.startedSeenAtMs),
    delayTimeMs: richer.delayTimeMs ?? other.delayTimeMs,
    executionTimeMs: richer.executionTimeMs ?? other.executionTimeMs,
    outputBytes: Math.max(richer.outputBytes, other.outputBytes),
  };
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/** How certain a phase is: an end was seen; the others were on the way to one. */
const certainty: Readonly<Record<Job['phase'], number>> = {
  finished: 7,
  gone: 6,
  active: 5,
  orphaned: 4,
  refused: 3,
  'outcome-unknown': 2,
  submitting: 1,
  waiting: 0,
};

/**
 * Above 0 if `a` knows more of the job than `b`: by the attempt, then whether the service is known to have it, then the
 * certainty of its state, then its age. A job may have counted as refused or withdrawn before a webhook call named its
 * id (ruling 25).
 */
export function compareStates(a: Job, b: Job): number {
  return (
    a.attempt - b.attempt ||
    Number(a.jobId !== null) - Number(b.jobId !== null) ||
    certainty[a.phase] - certainty[b.phase] ||
    Number(a.isResultSaved) - Number(b.isResultSaved) ||
    Number(a.outputForgottenAtMs === undefined) - Number(b.outputForgottenAtMs === undefined) ||
    (a.statusReadAtMs ?? 0) - (b.statusReadAtMs ?? 0)
  );
}

/** The attempts of both by number. If both have one, the ended one, or else the more complete one. */
function mergeAttempts(mine: readonly Attempt[], theirs: readonly Attempt[]): Attempt[] {
  const byNumber = new Map(mine.map((attempt) => [attempt.number, attempt]));
  for (const attempt of theirs) {
    const known = byNumber.get(attempt.number);
    byNumber.set(attempt.number, known === undefined ? attempt : mergeAttempt(known, attempt));
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

function mergeAttempt(mine: Attempt, theirs: Attempt): Attempt {
  const [richer, other] = endedOf(theirs) > endedOf(mine) ? [theirs, mine] : [mine, theirs];
  return {
    number: mine.number,
    startedAtMs: Math.min(mine.startedAtMs, theirs.startedAtMs),
    status: richer.status ?? other.status,
    delayTimeMs: richer.delayTimeMs ?? other.delayTimeMs,
    executionTimeMs: richer.executionTimeMs ?? other.executionTimeMs,
    workerId: richer.workerId ?? other.workerId,
    errorText: richer.errorText ?? other.errorText,
    hasOutput: mine.hasOutput || theirs.hasOutput,
    outputBytes: Math.max(mine.outputBytes, theirs.outputBytes),
    chunkCount: Math.max(mine.chunkCount, theirs.chunkCount),
    finishedSeenAtMs: earlier(richer.finishedSeenAtMs, other.finishedSeenAtMs),
  };
}

function endedOf({ status, hasOutput }: Attempt): number {
  return (status !== null && isTerminalStatus(status) ? 2 : 0) + Number(hasOutput);
}

interface Own {
  title: string;
  mark: Mark | undefined;
  label: string | undefined;
  note: string;
}

/**
 * What the user said. If both sides differ, the one from here is kept, and the other is added to the note, so that none
 * is lost.
 */
function ownOf(mine: KnownJob, theirs: KnownJob): Own {
  const isMyTitle = mine.job.title !== mine.automaticTitle;
  const isTheirTitle = theirs.job.title !== theirs.automaticTitle;
  const title = !isMyTitle && isTheirTitle ? theirs.job.title : mine.job.title;
  const { mark, label } = mine.job;
  const lost = [
    ...(isMyTitle && isTheirTitle && theirs.job.title !== title
      ? [mergedJobText.titleElsewhere(theirs.job.title)]
      : []),
    ...(mark !== undefined && theirs.job.mark !== undefined && mark !== theirs.job.mark
      ? [mergedJobText.markElsewhere(markWord(theirs.job.mark))]
      : []),
    ...(label !== undefined && theirs.job.label !== undefined && label !== theirs.job.label
      ? [mergedJobText.labelElsewhere(theirs.job.label)]
      : []),
  ];
  return {
    title,
    mark: mark ?? theirs.job.mark,
    label: label ?? theirs.job.label,
    note: lost.reduce(withLine, bothNotes(mine.note, theirs.note)),
  };
}

/** Both notes, without repetition. Together they may be longer than the limit for editing. */
function bothNotes(mine: string, theirs: string): string {
  if (theirs.trim() === '' || mine.includes(theirs)) return mine;
  return mine.trim() === '' || theirs.includes(mine) ? theirs : `${mine}\n\n${theirs}`;
}

function withLine(note: string, line: string): string {
  if (note.split('\n').includes(line)) return note;
  return note === '' ? line : `${note}\n\n${line}`;
}
