import type { TrackerState } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { ConnectionState } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { StrayJob } from '../../src-preload/webhook.ts';
import { createRateGovernor } from '../service/rate-governor.ts';
import type { RateShare } from '../service/rate-governor.ts';
import type { QueueApi } from '../service/reply.ts';
import type { S3Config } from '../service/submission-body.ts';
import { createActions } from './actions.ts';
import { createAdopt } from './adopt.ts';
import type { JobsElsewhere } from './adopt.ts';
import { createArrivals } from './arrivals.ts';
import { createBatches } from './batches.ts';
import type { Batches } from './batches.ts';
import type { Clock } from './clock.ts';
import { createDispatch } from './dispatch.ts';
import { createFollows } from './follow.ts';
import { createForecasts } from './forecasts.ts';
import { createGroups } from './groups.ts';
import { createHints } from './hints.ts';
import { createInsist } from './insist.ts';
import { createJobKeys } from './job-key.ts';
import { createLeftBehind, wordsForNotFollowed } from './left-behind.ts';
import type { WhyNotFollowed } from './left-behind.ts';
import { createLedger, isEnd } from './ledger.ts';
import type { LedgerChange } from './ledger.ts';
import { createLooks } from './looks.ts';
import { createQueuePurge } from './purge.ts';
import type { QueuePurge } from './purge.ts';
import { createReachability } from './reachability.ts';
import { createRetries } from './retry.ts';
import { createStreamReader } from './stream-reader.ts';
import { createStrays } from './strays.ts';
import { createSubmit } from './submit.ts';
import { recordOfId } from './submission-outcome.ts';
import { createSightings } from './sightings.ts';
import type { Sighting } from './sightings.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { StreamListener } from './subscriptions.ts';
import { createTracker } from './tracker.ts';

/** Jobs from the intent to the saved result. Every answer and every event is about what is already on disk. */
export interface Jobs {
  /**
   * Takes up what a former run left: results nearest to leaving the service first. Call once, before anything else.
   * `forgottenBy`: connections whose service started with an empty memory since.
   */
  start(forgottenBy?: readonly string[]): Promise<void>;
  /** Journals the intent and sends it once; answers when the intent is on disk (ruling 9). */
  submit(draft: SubmissionDraft): Promise<Result<Job>>;
  /** Many inputs at once. */
  batches: Pick<Batches, 'submit' | 'list' | 'setPaused' | 'withdraw' | 'submitFailed'>;
  cancel(key: string): Promise<Result<Job>>;
  /** spec: retry. Answers when the service did. */
  retry(key: string): Promise<Result<Job>>;
  /** Sends the saved submission again as a new job, on the connection as it is now. */
  resubmit(key: string): Promise<Result<Job>>;
  /** Takes up jobs that were submitted elsewhere, by their ids; answers them as they are known here. */
  adopt(jobs: JobsElsewhere): Promise<Result<Job[]>>;
  /** The saved submission, for the composer. */
  draftOf(key: string): Promise<Result<SubmissionDraft>>;
  extendTtl(key: string, ttlMs: number): Promise<Result<Job>>;
  /** Looks at the job now, whatever it waits for. Refused while paused. */
  checkNow(key: string): Result<null>;
  /** Stored chunks from `fromSeq` on, then live ones, without a gap or a double. Answers the function that ends it. */
  subscribe(key: string, attempt: number, fromSeq: number, listener: StreamListener): () => void;
  /** Stops everything but what a user asks for one job; submissions wait in the outbox. */
  pause(): TrackerState;
  resume(): TrackerState;
  /** Looks at once at everything that waits for a next try. */
  tryNow(): TrackerState;
  trackerState(): TrackerState;
  /** The jobs on view: they are near-live. Replaces the former ones. */
  setWatched(keys: readonly string[]): void;
  setWindowVisible(isVisible: boolean): void;
  setOnBattery(isOnBattery: boolean): void;
  /** The key, the address or the form of authorization changed, or a test passed: its jobs are followed again. */
  connectionChanged(connectionId: string): void;
  /** The connection is gone, and `whyNotFollowed` says so by now: its jobs stay, marked, and are followed no more. */
  connectionRemoved(connectionId: string): void;
  /** What is known of a connection from talking to it. */
  connectionState(connectionId: string): ConnectionState;
  /** Reads an endpoint's health now, within the cap of one a second (ruling 20). Also tells `onHealth`. */
  readHealth(connectionId: string, endpointId: string): Promise<Result<Health>>;
  /** This app purged the endpoint's queue: its queued jobs that now answer 404 were purged, not lost (ruling 11). */
  notePurged(connectionId: string, endpointId: string, acceptedUntilMs?: number): void;
  /** Purging an endpoint's queue. */
  purge: QueuePurge;
  /** A webhook call named this job: it is looked at now, and nothing else of the call is believed (ruling 25). */
  hint(call: Sighting): void;
  /** Follows the job that a submission of unknown outcome probably became. */
  claim(key: string): Promise<Result<Job>>;
  /** The service behind this connection started with an empty memory (the built-in sandbox): its live jobs are gone. */
  noteForgotten(connectionId: string): Promise<void>;
  /** Stops. What is under way is aborted and found in the journal at the next start. */
  close(): Promise<void>;
}

export interface JobsParts {
  history: History;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  log: Log;
  /** Where new jobs of a connection are sent: its base URL, normalised; `absent` or `no-key` where they cannot be. */
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** Operations of a connection at the base URL a job is pinned to. */
  apiFor: (of: { connectionId: string; baseUrl: string }) => Promise<Result<QueueApi>> | Result<QueueApi>;
  /** The s3 values of a profile with their secret, for the wire only. */
  s3Config: (profileId: string) => Promise<Result<S3Config>>;
  /** Why a job is not asked about now; null when it is followed. Read at each use: it changes with the connections. */
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** Shares of the service's limits that may be spent (ruling 21); read at each use. */
  rateShare: () => RateShare;
  /** Jobs as they now stand on disk. Rows of a new batch are first told when something becomes of them. */
  onJobsChanged: (jobs: Job[]) => void;
  /** Batches as they now stand; at most twice a second. */
  onBatchesChanged: (batches: Batch[]) => void;
  /** Once, when the last row of a batch has ended. */
  onBatchEnded: (batch: Batch) => void;
  /** Jobs that webhooks told of and nobody here knows, newest first. */
  onStrays: (strays: StrayJob[]) => void;
  /** Once for each attempt, when nothing more will come and all of it is on disk. */
  onJobEnded: (job: Job) => void;
  onTrackerState: (state: TrackerState) => void;
  /** What talking to a connection showed. */
  reportConnectionState: (connectionId: string, state: ConnectionState) => void;
  onHealth: (health: Health) => void;
  /** The disk refused something; it is tried again. The log has it in any case. */
  onStorageTrouble?: (message: string) => void;
}

/** Joins the parts of the job engine. They know each other only through what is passed here. */
export function createJobs(parts: JobsParts): Jobs {
  const { history, clock, random, log } = parts;
  const { now } = clock;
  let outcomeUnknown = 0;
  let isClosed = false;

  const onTrouble = (error: unknown): void => {
    if (isClosed) return;
    const message = error instanceof Error ? error.message : String(error);
    log.error(message);
    parts.onStorageTrouble?.(message);
  };

  const governor = createRateGovernor({ share: parts.rateShare, random });
  const reachability = createReachability({
    now,
    random,
    onChange(connectionId, state) {
      parts.reportConnectionState(connectionId, state);
      tracker.wake();
    },
  });
  const follows = createFollows(now, random);
  const groups = createGroups();
  const insist = createInsist({ clock, random, onTrouble });
  const ledger = createLedger({ history, now, log, onCommitted });
  const sightings = createSightings({ history, ledger });
  const strays = createStrays({ now, onChange: parts.onStrays });
  const hints = createHints({ ledger, follows, now, onHinted: () => tracker.wake() });
  const dispatch = createDispatch({ governor, reachability, apiFor: parts.apiFor, now, onRequest: ledger.noteRequest });
  const subscriptions = createSubscriptions({
    readChunks: (key, attempt, fromSeq, limit) => history.chunks(key, attempt, fromSeq, limit),
    async statusAtEnd(key, attempt) {
      const live = ledger.live().get(key);
      if (live !== undefined && live.job.attempt === attempt) return null;
      const stored = await history.get(key);
      if (stored === null || (stored.job.attempt === attempt && isLive(stored.job))) return null;
      return { status: stored.attempts.find(({ number }) => number === attempt)?.status ?? null };
    },
    onAttention: () => tracker.wake(),
    onTrouble,
  });
  const streams = createStreamReader({ ledger, follows, dispatch, subscriptions, insist, history, now, random });
  const { endWithoutDrain } = streams;
  const forecasts = createForecasts({ history, now, onTrouble });
  const looks = createLooks({ ledger, follows, groups, dispatch, forecasts, now, endWithoutDrain, onHealth: parts.onHealth, onHealthAsked: (group) => arrivals.asked(group), onHealthRead: (group, record) => arrivals.read(group, record) });
  const arrivals = createArrivals({ ledger, groups, clock, onTrouble, readHealth: looks.readHealth });
  const newKey = createJobKeys(now, random);
  const { baseUrlOf, s3Config } = parts;
  const batches = createBatches({ ledger, history, clock, baseUrlOf, s3Config, newKey, onTrouble, onChanged: parts.onBatchesChanged, onEnded: parts.onBatchEnded, wake: () => tracker.wake() });
  const submit = createSubmit({
    ledger, follows, dispatch, governor, reachability, insist, history, now, endWithoutDrain, onTrouble, baseUrlOf, s3Config, newKey,
    isPaused: () => tracker.isPaused(),
    isBatchPaused: batches.isPaused,
  });
  const adopt = createAdopt({ ledger, follows, history, baseUrlOf, newKey, now });
  const actions = createActions({ ledger, follows, dispatch, looks, history, clock, random, endWithoutDrain });
  const purge = createQueuePurge({ ledger, follows, dispatch, governor, baseUrlOf, now, wake: () => tracker.wake() });
  const retries = createRetries({ ledger, follows, dispatch, looks, history, clock, random, log, onTrouble, isPaused: () => tracker.isPaused() });
  const tracker = createTracker({
    ledger, follows, groups, dispatch, governor, reachability, looks, forecasts, streams, submit, actions, clock, onTrouble,
    runTimes: (connectionId) => history.runTimes(connectionId),
    outcomeUnknown: () => outcomeUnknown,
    whyNotFollowed: parts.whyNotFollowed,
    isBatchPaused: batches.isPaused,
    leftBehind: createLeftBehind({ ledger, onTrouble }),
    onState: parts.onTrackerState,
  });

  function onCommitted(changes: LedgerChange[]): void {
    if (isClosed) return;
    const latest = new Map<string, Job>();
    for (const { before, after } of changes) {
      latest.set(after.key, after);
      outcomeUnknown += Number(after.phase === 'outcome-unknown') - Number(before?.phase === 'outcome-unknown');
      if (!isLive(after)) {
        follows.forget(after.key);
        forecasts.forget(after.key);
      }
    }
    parts.onJobsChanged([...latest.values()]);
    batches.noteChanges(changes);
    arrivals.committed(changes);
    for (const change of changes) {
      const { before, after } = change;
      if (after.jobId !== null && before?.jobId !== after.jobId) strays.known(after.jobId);
      if (before?.jobId === null && after.phase === 'active') hints.accepted(after);
      if (before !== null && before.attempt !== after.attempt) subscriptions.began(after.key, after.attempt);
      if (!isEnd(change)) continue;
      subscriptions.ended(after.key, after.attempt, after.status);
      parts.onJobEnded(after);
    }
    tracker.wake();
  }

  /** A disk that refuses is an answer like any other. */
  async function answering<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await work();
    } catch (error) {
      onTrouble(error);
      return failed({ kind: 'storage', message: error instanceof Error ? error.message : String(error) });
    } finally {
      tracker.wake();
    }
  }

  async function forget(connectionId: string): Promise<void> {
    const keys = [...ledger.live().values()].filter(({ job }) => job.connectionId === connectionId).map(({ job }) => job.key);
    await Promise.all(keys.map((key) => ledger.change(key, [{ kind: 'forgotten' }])));
    tracker.wake();
  }

  return {
    async start(forgottenBy = []) {
      await batches.start();
      const jobs = await ledger.resume();
      for (const connectionId of forgottenBy) await forget(connectionId);
      const unknown = await history.list({ ...emptyFilter, statuses: ['outcome_unknown'] }, null, 1);
      outcomeUnknown = unknown.total;
      for (const job of jobs) {
        // Its one request was under way when the former run ended: it may have arrived (ruling 9).
        if (job.phase === 'submitting') await ledger.change(job.key, [{ kind: 'outcome-unknown', reason: endedWhileSending, rawReply: null }]);
      }
      await retries.start();
      tracker.wake();
    },
    submit: (draft) => answering(() => submit.submit(draft)),
    batches: {
      submit: (request) => answering(() => batches.submit(request)),
      list: (connectionId) => answering(() => batches.list(connectionId)),
      setPaused: (id, isPaused) => answering(() => batches.setPaused(id, isPaused)),
      withdraw: (id) => answering(() => batches.withdraw(id)),
      submitFailed: (id) => answering(() => batches.submitFailed(id)),
    },
    cancel: (key) => answering(() => actions.cancel(key)),
    retry: (key) => answering(() => retries.retry(key)),
    resubmit: (key) => answering(async () => {
      const draft = await submit.draftOf(key);
      return draft.ok ? await submit.submit(draft.value) : draft;
    }),
    adopt: (jobs) => answering(() => adopt(jobs)),
    draftOf: (key) => answering(() => submit.draftOf(key)),
    extendTtl: (key, ttlMs) => answering(() => actions.extendTtl(key, ttlMs)),
    checkNow(key) {
      if (tracker.isPaused()) return failed({ kind: 'refused', message: 'Following jobs is paused. Resume it to look at this one.' });
      const job = ledger.live().get(key)?.job;
      if (job === undefined) return failed(notLive);
      const why = parts.whyNotFollowed(job);
      if (why !== null) return failed({ kind: 'refused', message: wordsForNotFollowed[why] });
      const follow = follows.of(job);
      follow.isLookWanted = true;
      follow.notBeforeMs = 0;
      follow.stream.notBeforeMs = 0;
      tracker.wake();
      return ok(null);
    },
    subscribe: subscriptions.subscribe,
    pause() {
      tracker.pause();
      return tracker.state();
    },
    resume() {
      tracker.resume();
      return tracker.state();
    },
    tryNow() {
      tracker.tryNow();
      return tracker.state();
    },
    trackerState: tracker.state,
    setWatched: tracker.setWatched,
    setWindowVisible: tracker.setWindowVisible,
    setOnBattery: tracker.setOnBattery,
    connectionChanged(connectionId) {
      reachability.reset(connectionId);
    },
    connectionRemoved(connectionId) {
      reachability.forget(connectionId);
      tracker.wake();
    },
    connectionState: reachability.state,
    readHealth: (connectionId, endpointId) => answering(async () => {
      const baseUrl = await parts.baseUrlOf(connectionId);
      return baseUrl.ok ? await looks.readHealth(groups.of({ connectionId, baseUrl: baseUrl.value, endpointId })) : baseUrl;
    }),
    notePurged: purge.note,
    purge,
    hint(call) {
      if (hints.note(call.jobId)) return;
      sightings(call).then((found) => {
        if (found === 'stray') strays.note(call.jobId);
      }, onTrouble);
    },
    claim: (key) => answering(async () => {
      const stored = await history.get(key);
      const jobId = stored?.job.phase === 'outcome-unknown' ? stored.job.jobId : null;
      if (jobId === null) return failed({ kind: 'refused', message: 'Nothing is known of this job at the service, so there is nothing to follow.' });
      const job = await ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
      if (job === null) return failed(notLive);
      follows.of(job).isLookWanted = true;
      return ok(job);
    }),
    noteForgotten: forget,
    async close() {
      if (isClosed) return;
      tracker.close();
      submit.close();
      batches.close();
      dispatch.close();
      insist.close();
      retries.close();
      arrivals.close();
      subscriptions.close();
      await Promise.all([tracker.idle(), submit.idle(), batches.idle()]);
      await ledger.flush().catch(onTrouble);
      await ledger.idle();
      isClosed = true;
    },
  };
}

const endedWhileSending = 'Jobdeck ended while this was being sent. The service may have it; submit it again only if running twice does no harm.';
const notLive: Failure = { kind: 'refused', message: 'This job is finished; nothing more will come.' };
