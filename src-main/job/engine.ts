import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import { unpackSeries } from '../history/health/points.ts';
import { createRateGovernor } from '../service/rate-governor.ts';
import { createActions } from './actions.ts';
import { createAdopt } from './submission/adopt.ts';
import { createArrivals } from './submission/arrivals.ts';
import { createBatches } from './submission/batches.ts';
import { createCheckNow, createLookAgain } from './check-now.ts';
import { createClaim } from './submission/claim.ts';
import { createCommitted } from './committed.ts';
import { createDispatch } from './dispatch.ts';
import { createFindJob } from './find-job.ts';
import { createFollows } from './follow.ts';
import { createForecasts } from './forecast/forecasts.ts';
import { createGoneJobs } from './gone-jobs.ts';
import { createGroups } from './groups.ts';
import { createHints } from './sighting/hints.ts';
import { createInsist } from './insist.ts';
import { createJobKeys } from './job-key.ts';
import type { Jobs, JobsParts } from './jobs.ts';
import { createKeyCheck } from './key-check.ts';
import { createKeptCounts } from './kept-counts.ts';
import { createLeftBehind } from './left-behind.ts';
import { createLedger } from './ledger.ts';
import { createLooks } from './looks.ts';
import { createQueuePurge } from './purge.ts';
import { createReachability } from './reachability.ts';
import { createRetries } from './retry/retry.ts';
import { createSightings } from './sighting/sightings.ts';
import { createStartUp } from './start-up.ts';
import { createStrays } from './sighting/strays.ts';
import { createStreamReader } from './stream/stream-reader.ts';
import { createSameJob } from './submission/same-job.ts';
import { createSubmit } from './submission/submit.ts';
import { createSubscriptions } from './stream/subscriptions.ts';
import { createTracker } from './tracker.ts';

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
  const follows = createFollows(now, random);
  const groups = createGroups();
  const insist = createInsist({ clock, random, onTrouble });
  const ledger = createLedger({ history, now, log, onCommitted: (changes) => onCommitted(changes) });
  const find = createFindJob(ledger, history);
  const keptCounts = createKeptCounts(history);
  const strays = createStrays({ now, onChange: parts.onStrays });
  const hints = createHints({ ledger, follows, now, onHinted: () => tracker.wake() });
  const sightings = createSightings({ history, ledger, hints, strays, log, onTrouble });
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
    follows,
    dispatch,
    subscriptions,
    insist,
    history,
    now,
    random,
    onTrouble,
  });
  const { endWithoutDrain } = streams;
  const forecasts = createForecasts({ history, now, onTrouble });
  const looks = createLooks({
    ledger,
    follows,
    groups,
    dispatch,
    forecasts,
    now,
    endWithoutDrain,
    onHealth: parts.onHealth,
    onHealthAsked: (group) => arrivals.asked(group),
    onHealthRead: (group, record) => arrivals.read(group, record),
  });
  const checkKey = createKeyCheck({
    clock,
    groups,
    looks,
    onTrouble,
    baseUrlOf: parts.baseUrlOf,
    mayAsk: () => !isClosed && !tracker.isPaused(),
  });
  const arrivals = createArrivals({
    ledger,
    groups,
    history,
    clock,
    onTrouble,
    readHealth: looks.readHealth,
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
    follows,
    dispatch,
    governor,
    reachability,
    insist,
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
  const lookAgain = createLookAgain({ follows, ledger, looks, whyNotFollowed: parts.whyNotFollowed });
  const goneJobs = createGoneJobs({
    history,
    clock,
    onTrouble,
    lookAgain: async (job) => (tracker.isPaused() ? null : await lookAgain(job)),
  });
  const sameJob = createSameJob({ history, whyNotFollowed: parts.whyNotFollowed });
  const adopt = createAdopt({
    ledger,
    follows,
    history,
    sameJob,
    lookAgain: async (job) => void (await lookAgain(job)),
    baseUrlOf,
    newKey,
    now,
  });
  const actions = createActions({
    ledger,
    follows,
    dispatch,
    looks,
    history,
    clock,
    random,
    endWithoutDrain,
    readStreamBeforeEnd: streams.readBeforeEnd,
  });
  const purge = createQueuePurge({ ledger, follows, dispatch, governor, baseUrlOf, now, wake: () => tracker.wake() });
  const retries = createRetries({
    ledger,
    follows,
    dispatch,
    looks,
    history,
    clock,
    random,
    reachability,
    log,
    onTrouble,
    isPaused: () => tracker.isPaused(),
    whyNotFollowed: parts.whyNotFollowed,
  });
  const leftBehind = createLeftBehind({ ledger, history, onTrouble });
  const tracker = createTracker({
    ledger,
    follows,
    groups,
    dispatch,
    governor,
    reachability,
    looks,
    forecasts,
    streams,
    submit,
    actions,
    clock,
    onTrouble,
    outcomeUnknown: keptCounts.outcomeUnknown,
    countLeftBehind: keptCounts.leftBehind,
    whyNotFollowed: parts.whyNotFollowed,
    isBatchPaused: batches.isPaused,
    leftBehind,
    onClockPutBack: () => retries.tryNow(),
    onState: parts.onTrackerState,
  });

  const onCommitted = createCommitted({
    keptCounts,
    streams,
    follows,
    forecasts,
    batches,
    arrivals,
    strays,
    hints,
    sightings,
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
    arrivals,
    retries,
    streams,
    goneJobs,
    wake: () => tracker.wake(),
  });
  const checkNow = createCheckNow({
    find,
    follows,
    lookAgain,
    isPaused: () => tracker.isPaused(),
    whyNotFollowed: parts.whyNotFollowed,
  });
  const claim = createClaim({
    history,
    ledger,
    follows,
    sameJob,
    lookAgain: async (job) => void (await lookAgain(job)),
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
    adopt: (jobs) => answering(() => adopt(jobs)),
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
      if (keptCounts.leftBehind() === 0) return;
      for (const job of await leftBehind.takeUp(connectionId)) follows.of(job).isLookWanted = true;
      tracker.wake();
    },
    connectionState: reachability.state,
    readHealth: (connectionId, endpointId) =>
      answering(async () => {
        const baseUrl = await parts.baseUrlOf(connectionId);
        return baseUrl.ok
          ? await looks.readHealth(groups.of({ connectionId, baseUrl: baseUrl.value, endpointId }), {
              isUnplanned: true,
            })
          : baseUrl;
      }),
    notePurged: purge.note,
    purge,
    hint(call) {
      goneJobs.hinted(call.jobId);
      sightings.note(call).catch(onTrouble);
    },
    claim: (key) => answering(() => claim(key)),
    async close() {
      if (isClosed) return;
      tracker.close();
      submit.close();
      batches.close();
      dispatch.close();
      insist.close();
      retries.close();
      goneJobs.close();
      arrivals.close();
      subscriptions.close();
      await Promise.all([tracker.idle(), submit.idle(), batches.idle()]);
      await ledger.flush().catch(onTrouble);
      await ledger.idle();
      isClosed = true;
    },
  };
}
