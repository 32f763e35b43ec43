import { isFinished, isLive, statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { on } from '../bridge.ts';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import { keptAnswer, changeAnswers, makeStale } from './calls.ts';
import { createCountChanges } from './count-changes.ts';
import { countedFilters } from './job-counts.ts';

/** The statuses of jobs that a cause groups. */
const failed: ReadonlySet<StatusKind> = new Set<StatusKind>(['fail', 'timeout']);

/** Says which kept answers (`calls.ts`) each event makes stale or changes. Called once, before the first call. */
export function listenForStale(): void {
  const countChanges = createCountChanges();
  on('job:changed', ({ jobs, removedKeys }) => {
    for (const key of removedKeys) makeStale('job:get', { key });
    if (removedKeys.length > 0) {
      makeStale('cost:ofEndpoint', null, { everyMs: 2_000 });
      makeStale('cost:ofFilter', null, { everyMs: 5_000, restPerWork: 20 });
      makeStale('health:timings', null, { everyMs: 5_000 });
    }
    for (const job of jobs) {
      changeJob(job);
      if (job.originKey !== undefined) changeCopy(job.originKey, job);
    }
    makeStale('notification:ongoing', null, { everyMs: 2_000 });
    makeStale('job:list', null, { everyMs: 500 });
    makeStale('job:inputs', null, { everyMs: 2_000, restPerWork: 20 });
    makeStale('storage:use', undefined, { everyMs: 5_000, restPerWork: 20 });
    makeStale('storage:wouldForget', null, { everyMs: 5_000, restPerWork: 20 });
    const canAlter = countChanges.take(jobs, removedKeys, Date.now());
    for (const filter of countedFilters())
      if (canAlter(filter)) makeStale('job:count', { filter }, { everyMs: 5_000, restPerWork: 20 });
    if (jobs.some(({ batchId }) => batchId !== null)) makeStale('batch:pair', null, { everyMs: 300, restPerWork: 20 });
    for (const endpoint of endpointsOf(jobs)) {
      makeStale('cost:ofEndpoint', endpoint, { everyMs: 2_000 });
      makeStale('purge:preview', { ...endpoint, isFresh: false }, { everyMs: 1_000 });
      makeStale('purge:log', endpoint, { everyMs: 1_000 });
    }
    for (const { connectionId, endpointId } of endpointsOf(jobs.filter(isFinished))) {
      makeStale('health:timings', { connectionId, endpointId }, { everyMs: 5_000 });
      makeStale('health:timings', { connectionId, endpointId: null }, { everyMs: 5_000 });
      makeStale('job:learnedInputs', { connectionId, endpointId }, { everyMs: 30_000 });
    }
    if (removedKeys.length > 0 || jobs.some((job) => failed.has(statusKind(job)) || job.attempt > 1)) {
      makeStale('failure:causes', null, { everyMs: 1_000, restPerWork: 10 });
      makeStale('failure:byWorker', null, { everyMs: 2_000, restPerWork: 10 });
      makeStale('failure:cause', null, { everyMs: 2_000, restPerWork: 10 });
    }
    // With a million jobs the sum takes a while, in the thread that also saves.
    if (jobs.some((job) => job.finishedSeenAtMs !== null || job.startedSeenAtMs !== null))
      makeStale('cost:ofFilter', null, { everyMs: 5_000, restPerWork: 20 });
  });
  on('job:printed', ({ key }) => makeStale('job:printedLines', { key }, { everyMs: 500 }));
  on('bin:changed', () => makeStale('bin:use', undefined, { everyMs: 500 }));
  on('cost:changed', ({ connectionId, endpointId }) => {
    for (const filter of countedFilters()) if (filter.cost !== null) makeStale('job:count', { filter });
    makeStale('cost:list', null);
    makeStale('cost:ofEndpoint', { connectionId, endpointId });
    makeStale('cost:ofFilter', null);
  });
  on('health:changed', ({ health }) => {
    const { connectionId, endpointId, atMs, jobs } = health;
    // Not the answer that asks for a reading: this event reports that reading, and would cause another one.
    changeAnswers('purge:preview', { connectionId, endpointId, isFresh: false }, (before) => ({
      ...before,
      health: { atMs, jobs },
      problem: null,
    }));
    // A firing alert has the current figures.
    makeStale('notification:ongoing', null, { everyMs: 5_000 });
  });
  on('diagnosis:changed', takeDiagnosis);
  on('purge:changed', ({ connectionId, endpointId }) => {
    makeStale('purge:preview', { connectionId, endpointId, isFresh: false }, { everyMs: 1_000 });
    makeStale('purge:log', { connectionId, endpointId }, { everyMs: 1_000 });
  });
  on('notification:changed', ({ unseen }) => {
    changeAnswers('notification:unseen', undefined, () => ({ unseen }));
    makeStale('notification:list', null, { everyMs: 300 });
    makeStale('notification:gathered', undefined, { everyMs: 1_000 });
  });
  on('update:changed', (state) => changeAnswers('update:state', undefined, () => state));
  on('tracker:changed', () => makeStale('notification:ongoing', null, { everyMs: 1_000 }));
  // An entered or deleted key changes what an address needs.
  on('connection:changed', () => makeStale('connection:addressNeeds', null));
  on('alert:changed', (overview) =>
    changeAnswers('alert:list', { connectionId: overview.connectionId }, () => overview),
  );
  on('alert:changed', () => makeStale('notification:ongoing', null, { everyMs: 300 }));
  on('pod:changed', ({ connectionId, pods }) => changeAnswers('pod:list', { connectionId }, () => pods));
  // A pod that is read with all its workers changes all of their templates at the same time.
  on('template:changed', ({ connectionId }) => makeStale('template:list', { connectionId }, { everyMs: 300 }));
}

/** Applies an endpoint's diagnosis after it was judged or muted. */
function takeDiagnosis(diagnosis: EndpointDiagnosis): void {
  changeAnswers('health:diagnoses', { connectionId: diagnosis.connectionId }, (before) => [
    ...before.filter(({ endpointId }) => endpointId !== diagnosis.endpointId),
    diagnosis,
  ]);
}

/** Applies a changed job to the kept answers. What the event does not carry is read again if it may have changed. */
function changeJob(job: Job): void {
  const { key } = job;
  const before = keptAnswer('job:get', { key })?.job;
  changeAnswers('job:get', { key }, (detail) => ({ ...detail, job }));
  // A first read in progress may have begun before the change, so it is repeated.
  if (before === undefined) return;
  if (stamp(job) !== stamp(before)) makeStale('job:get', { key });
  if (job.inputForgottenAtMs !== before.inputForgottenAtMs) makeStale('job:body', { key, part: 'input' });
  if (outputStamp(job) !== outputStamp(before)) makeStale('job:body', { key, part: 'output' });
  if (job.requestCount === before.requestCount && job.phase === before.phase) return;
  makeStale('job:body', { key, part: 'reply' });
  makeStale('job:requests', { key }, { everyMs: 400 });
}

/** Applies a changed job to the one that it was resubmitted from, which lists it, the newest first. */
function changeCopy(originKey: string, job: Job): void {
  const copies = keptAnswer('job:get', { key: originKey })?.lineage.copies ?? [];
  if (copies.some(({ key }) => key === job.key))
    changeAnswers('job:get', { key: originKey }, (detail) => ({
      ...detail,
      lineage: { ...detail.lineage, copies: detail.lineage.copies.map((each) => (each.key === job.key ? job : each)) },
    }));
  // Not one of those that are too old to be listed.
  else if (copies.every(({ key }) => key < job.key)) makeStale('job:get', { key: originKey });
}

/** Changes whenever something changes that the list's `Job` does not carry: attempts, error, extra fields, the note. */
function stamp(job: Job): string {
  return [
    job.phase,
    job.status,
    job.attempt,
    job.isResultSaved,
    job.finishedSeenAtMs,
    job.retentionEndsAtMs,
    job.outputForgottenAtMs,
    job.inputForgottenAtMs,
    job.noteLine,
  ].join(' ');
}

/** Changes with the saved output, which grows while the job runs and is complete when the result is saved. */
function outputStamp(job: Job): string {
  const isGrowing = isLive(job) && job.pendingStream === undefined;
  return `${job.attempt} ${isGrowing ? job.outputBytes : ''} ${job.isResultSaved} ${job.outputForgottenAtMs ?? ''}`;
}

interface OfEndpoint {
  connectionId: string;
  endpointId: string;
}

/** The endpoints of these jobs, each once. */
function endpointsOf(jobs: readonly Job[]): OfEndpoint[] {
  const found: OfEndpoint[] = [];
  for (const { connectionId, endpointId } of jobs)
    if (!found.some((one) => one.connectionId === connectionId && one.endpointId === endpointId))
      found.push({ connectionId, endpointId });
  return found;
}
