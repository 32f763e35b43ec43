import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import { unpackSeries } from '../history/health/points.ts';
import { createRateGovernor } from '../service/rate-governor.ts';
import { createActions } from './commands/actions.ts';
import { createFollowExternal } from './submission/follow-external.ts';
import { createOutcomeEvidence } from './submission/outcome-evidence.ts';
import { createBatches } from './submission/batches.ts';
import { createCheckNow, createReadStatusAgain } from './polling/check-now.ts';
import { createConfirmSubmission } from './submission/confirm-submission.ts';
import { createCommitted } from './on-committed.ts';
import { createDispatch } from './context/dispatch.ts';
import { createFindJob } from './store/find-job.ts';
import { createJobPollingStates } from './context/job-polling-state.ts';
import { createForecasts } from './forecast/forecasts.ts';
import { createGoneJobs } from './polling/gone-jobs.ts';
import { createEndpointPollingStates } from './context/endpoint-polling-state.ts';
import { createWebhookHints } from './webhook-calls/webhook-hints.ts';
import { createDurableWrites } from './store/durable-writes.ts';
import { createJobKeys } from './store/job-key.ts';
import type { Jobs, JobsParts } from './jobs.ts';
import { createKeyCheck } from './polling/key-check.ts';
import { createKeptCounts } from './store/kept-counts.ts';
import { createOrphans } from './store/orphans.ts';
import { createLedger } from './store/ledger.ts';
import { createStatusReads } from './polling/status-reads.ts';
import { createQueuePurge } from './commands/queue-purge.ts';
import { createReachability } from './context/reachability.ts';
import { createRetries } from './retry/retry.ts';
import { createWebhookMatches } from './webhook-calls/webhook-matches.ts';
import { createStartUp } from './start-up.ts';
import { createUnknownJobs } from './webhook-calls/unknown-jobs.ts';
import { createStreamReader } from './stream/stream-reader.ts';
import { createSameJob } from './submission/same-job.ts';
import { createSubmit } from './submission/submit.ts';
import { createSubscriptions } from './stream/subscriptions.ts';
import { createTracker } from './tracker/tracker.ts';

/** Joins the parts of the job engine. They know each other only through what is passed here. */
export function createJobs(parts: JobsParts): Jobs {
  const { history, clock, random, log } = parts;
  const { now } = clock;
  let isClosed = false;

  const onTrouble = (error: unknown): void => {
    if (isClosed) return;
    const message = errorText(error);
    log.error(message);
    parts.onStorageTrouble?.(message);
  };

  const governor = createRateGovernor({
    share: parts.rateShare,
    random,
    ...(parts.accountOf === undefined ? {} : { accountOf: parts.accountOf }),
  });
  const reachability = createReachability({
    now,
    random,
    onChange(connectionId, state) {
      parts.reportConnectionState(connectionId, state);
      tracker.wake();
      retries.wake();
    },
    onClosures: () => tracker.wake(),
    onRefused: (lane) => checkKey(lane),
  });
  const pollingStates = createJobPollingStates(now, random);
  const endpointStates = createEndpointPollingStates();
  const durableWrites = createDurableWrites({ clock, random, onTrouble });
  const ledger = createLedger({ history, now, log, onCommitted: (changes) => onCommitted(changes) });
  const find = createFindJob(ledger, history);
  const keptCounts = createKeptCounts(history);
  const unknownJobs = createUnknownJobs({ now, onChange: parts.onUnknownJobs });
  const webhookHints = createWebhookHints({ ledger, pollingStates, now, onHinted: () => tracker.wake() });
  const webhookMatches = createWebhookMatches({ history, ledger, webhookHints, unknownJobs, log, onTrouble });
  const dispatch = createDispatch({ governor, reachability, apiFor: parts.apiFor, now, onRequest: ledger.noteRequest });
  const subscriptions = createSubscriptions({
    async statusAtEnd(key, attempt) {
      const live = ledger.live().get(key);
      if (live !== undefined && live.job.attempt === attempt) return null;
      const stored = await history.get(key);
      // One that was left behind may be followed again.
      const mayGoOn =
        stored !== null && stored.job.attempt === attempt && (isLive(stored.job) || stored.job.phase === 'left-behind');
      if (stored === null || mayGoOn) return null;
      return { status: stored.attempts.find(({ number }) => number === attempt)?.status ?? null };
    },
    onAttention: () => tracker.wake(),
    onTrouble,
  });
  const streams = createStreamReader({
    ledger,
    pollingStates,
    dispatch,
    subscriptions,
    durableWrites,
    history,
    now,
    random,
    onTrouble,
  });
  const { endWithoutDrain } = streams;
  const forecasts = createForecasts({ history, now, onTrouble });
  const statusReads = createStatusReads({
    ledger,
    pollingStates,
    endpointStates,
    dispatch,
    forecasts,
    now,
    endWithoutDrain,
    onHealth: parts.onHealth,
    onHealthAsked: (endpoint) => outcomeEvidence.asked(endpoint),
    onHealthRead: (endpoint, record) => outcomeEvidence.read(endpoint, record),
  });
  const checkKey = createKeyCheck({
    clock,
    endpointStates,
    statusReads,
    onTrouble,
    baseUrlOf: parts.baseUrlOf,
    mayAsk: () => !isClosed && !tracker.isPaused(),
  });
  const outcomeEvidence = createOutcomeEvidence({
    ledger,
    endpointStates,
    history,
    clock,
    onTrouble,
    readHealth: statusReads.readHealth,
    async keptReadings(connectionId, endpointId, sinceMs) {
      const [kept] = await history.healthSeries(connectionId, endpointId, sinceMs);
      return kept === undefined ? [] : unpackSeries(kept).points;
    },
  });
  const newKey = createJobKeys(now, random);
  const { baseUrlOf, s3Config, callbackFor } = parts;
  const batches = createBatches({
    ledger,
    history,
    clock,
    baseUrlOf,
    s3Config,
    callbackFor,
    newKey,
    onTrouble,
    onChanged: parts.onBatchesChanged,
    onEnded: parts.onBatchEnded,
    wake: () => tracker.wake(),
  });
  const submit = createSubmit({
    ledger,
    pollingStates,
    dispatch,
    governor,
    reachability,
    durableWrites,
    history,
    now,
    endWithoutDrain,
    log,
    onTrouble,
    baseUrlOf,
    s3Config,
    callbackFor,
    newKey,
    isPaused: () => tracker.isPaused(),
    isBatchPaused: batches.isPaused,
  });
  const readStatusAgain = createReadStatusAgain({
    pollingStates,
    ledger,
    statusReads,
    whyNotFollowed: parts.whyNotFollowed,
  });
  const goneJobs = createGoneJobs({
    history,
    clock,
    onTrouble,
    readStatusAgain: async (job) => (tracker.isPaused() ? null : await readStatusAgain(job)),
  });
  const sameJob = createSameJob({ history, whyNotFollowed: parts.whyNotFollowed });
  const followExternal = createFollowExternal({
    ledger,
    pollingStates,
    history,
    sameJob,
    readStatusAgain: async (job) => void (await readStatusAgain(job)),
    baseUrlOf,
    newKey,
    now,
  });
  const actions = createActions({
    ledger,
    pollingStates,
    dispatch,
    statusReads,
    history,
    clock,
    random,
    endWithoutDrain,
    readStreamBeforeEnd: streams.readBeforeEnd,
  });
  const purge = createQueuePurge({
    ledger,
    pollingStates,
    dispatch,
    governor,
    baseUrlOf,
    now,
    wake: () => tracker.wake(),
  });
  const retries = createRetries({
    ledger,
    pollingStates,
    dispatch,
    statusReads,
    history,
    clock,
    random,
    reachability,
    log,
    onTrouble,
    isPaused: () => tracker.isPaused(),
    whyNotFollowed: parts.whyNotFollowed,
  });
  const orphans = createOrphans({ ledger, history, onTrouble });
  const tracker = createTracker({
    ledger,
    pollingStates,
    endpointStates,
    dispatch,
    governor,
    reachability,
    statusReads,
    forecasts,
    streams,
    submit,
    actions,
    clock,
    onTrouble,
    outcomeUnknown: keptCounts.outcomeUnknown,
    countOrphans: keptCounts.orphans,
    whyNotFollowed: parts.whyNotFollowed,
    isBatchPaused: batches.isPaused,
    orphans,
    onClockPutBack: () => retries.tryNow(),
    onState: parts.onTrackerState,
  });

  const onCommitted = createCommitted({
    keptCounts,
    streams,
    pollingStates,
    forecasts,
    batches,
    outcomeEvidence,
    unknownJobs,
    webhookHints,
    webhookMatches,
    subscriptions,
    goneJobs,
    isClosed: () => isClosed,
    wake: () => tracker.wake(),
    onJobsChanged: parts.onJobsChanged,
    onJobEnded: parts.onJobEnded,
  });
  const startUp = createStartUp({
    ledger,
    keptCounts,
    batches,
    outcomeEvidence,
    retries,
    streams,
    goneJobs,
    wake: () => tracker.wake(),
  });
  const checkNow = createCheckNow({
    find,
    pollingStates,
    readStatusAgain,
    isPaused: () => tracker.isPaused(),
    whyNotFollowed: parts.whyNotFollowed,
  });
  const confirmSubmission = createConfirmSubmission({
    history,
    ledger,
    pollingStates,
    sameJob,
    readStatusAgain: async (job) => void (await readStatusAgain(job)),
  });

  /** A disk that refuses is an answer like any other. */
  async function answering<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await work();
    } catch (error) {
      onTrouble(error);
      return failed({ kind: 'storage', message: errorText(error) });
    } finally {
      tracker.wake();
    }
  }

  return {
    ...startUp,
    submit: (draft) => answering(() => submit.submit(draft)),
    batches: {
      submit: (request) => answering(() => batches.submit(request)),
      list: (connectionId) => answering(() => batches.list(connectionId)),
      setPaused: (id, isPaused) => answering(() => batches.setPaused(id, isPaused)),
      withdraw: (id) => answering(() => batches.withdraw(id)),
      submitFailed: (id) => answering(() => batches.submitFailed(id)),
    },
    cancel: (key) =>
      answering(async () => {
        const withdrawn = await retries.withdraw(key);
        return withdrawn === null ? await actions.cancel(key) : ok(withdrawn);
      }),
    retry: (key) => answering(() => retries.retry(key)),
    resubmit: (key) =>
      answering(async () => {
        const draft = await submit.draftOf(key);
        return draft.ok ? await submit.submit(draft.value) : draft;
      }),
    followExternal: (jobs) => answering(() => followExternal(jobs)),
    draftOf: (key) => answering(() => submit.draftOf(key)),
    extendTtl: (key, ttlMs) => answering(() => actions.extendTtl(key, ttlMs)),
    setStarred: (key, isStarred) => ledger.mark(key, () => history.setStarred(key, isStarred)),
    setTags: (key, tags) => ledger.mark(key, () => history.setTags(key, tags)),
    async markSeen(keys) {
      const { live = [], settled = [] } = Object.groupBy(keys, (key) => (ledger.live().has(key) ? 'live' : 'settled'));
      const mark = async (key: string): Promise<Job | null> => (await history.markSeen([key]))[0] ?? null;
      const marked = await Promise.all(live.map((key) => ledger.mark(key, () => mark(key))));
      const others = settled.length === 0 ? [] : await history.markSeen(settled);
      return [...others, ...marked.filter((job) => job !== null)];
    },
    checkNow: (key) => answering(() => checkNow(key)),
    stopWaiting: (key) => answering(() => streams.stopWaiting(key)),
    subscribe: subscriptions.subscribe,
    pause() {
      tracker.pause();
      return tracker.state();
    },
    resume() {
      tracker.resume();
      retries.wake();
      return tracker.state();
    },
    tryNow() {
      tracker.tryNow();
      retries.tryNow();
      return tracker.state();
    },
    trackerState: tracker.state,
    // A retried job is behind the younger ones in the ledger.
    liveJobs: () => [...ledger.live().values()].map(({ job }) => job).sort((a, b) => (a.key < b.key ? -1 : 1)),
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
    async connectionPresent(connectionId) {
      retries.wake();
      if (keptCounts.orphans() === 0) return;
      for (const job of await orphans.takeUp(connectionId)) pollingStates.of(job).isStatusReadWanted = true;
      tracker.wake();
    },
    connectionState: reachability.state,
    readHealth: (connectionId, endpointId) =>
      answering(async () => {
        const baseUrl = await parts.baseUrlOf(connectionId);
        return baseUrl.ok
          ? await statusReads.readHealth(endpointStates.of({ connectionId, baseUrl: baseUrl.value, endpointId }), {
              isUnplanned: true,
            })
          : baseUrl;
      }),
    notePurged: purge.note,
    purge,
    hint(call) {
      goneJobs.hinted(call.jobId);
      webhookMatches.note(call).catch(onTrouble);
    },
    confirmSubmission: (key) => answering(() => confirmSubmission(key)),
    async close() {
      if (isClosed) return;
      tracker.close();
      submit.close();
      batches.close();
      dispatch.close();
      durableWrites.close();
      retries.close();
      goneJobs.close();
      outcomeEvidence.close();
      subscriptions.close();
      await Promise.all([tracker.idle(), submit.idle(), batches.idle()]);
      await ledger.flush().catch(onTrouble);
      await ledger.idle();
      isClosed = true;
    },
  };
}
