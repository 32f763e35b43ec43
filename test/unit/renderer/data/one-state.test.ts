import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { batchStateOf, noRows, type Batch, type BatchCounts, type BatchList } from '../../../../src-preload/batch.ts';
import type { Connection } from '../../../../src-preload/connection.ts';
import { ok } from '../../../../src-preload/failure.ts';
import type { Events } from '../../../../src-preload/events.ts';
import {
  activityOf,
  countOfView,
  noJobs,
  statusWordOf,
  type ActiveCounts,
  type AllJobCounts,
  type JobCounts,
  type JobFilter,
  type JobPage,
  type JobSort,
} from '../../../../src-preload/history.ts';
import { activeText } from '../../../../src-preload/messages/active-jobs.ts';
import { isLive, type Job } from '../../../../src-preload/job.ts';
import { JobNews } from '../../../../src-main/engine/job-news.ts';
import { trayModel } from '../../../../src-main/desktop/tray/tray-model.ts';
import { knownBatches } from '../../../../src-renderer/batches/batches.ts';
import { outcomeText } from '../../../../src-renderer/batches/outcome-bar.tsx';
import { readBatches, useBatchList } from '../../../../src-renderer/data/batch-list.ts';
import { matchesFilter } from '../../../../src-renderer/data/job-matches-filter.ts';
import { listTotal } from '../../../../src-renderer/data/job-counts.ts';
import { listenToJobs, useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { emptyQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { activeOf, sectionSummary, sumOf, wholeBatchOf } from '../../../../src-renderer/jobs/section-summary.ts';
import { makeSections } from '../../../../src-renderer/jobs/sections.ts';
import { aBatch } from '../batches/a-batch.ts';
import { jobOf, queued, running } from '../jobs/job-of.ts';
import { aConnection } from '../../../kit/a-connection.ts';

/** Noon, so that every job is of today. */
const nowMs = new Date(2026, 10, 29, 12).getTime();
const states = {
  toSend: { ...queued, phase: 'waiting', status: null, jobId: null, acceptedAtMs: null },
  sending: { ...queued, phase: 'submitting', status: null, jobId: null, acceptedAtMs: null },
  queued,
  running,
  streaming: { phase: 'active', status: 'COMPLETED' },
  completed: { phase: 'finished', status: 'COMPLETED' },
  failed: { phase: 'finished', status: 'FAILED', isSeen: false },
} as const satisfies Record<string, Partial<Job>>;
type State = keyof typeof states;
const connection: Connection = aConnection();

/** A view of the sidebar, or one of its batches. */
type Place = JobFilter['view'] | 'batch 1' | 'batch 2';

/** What happens next, in the engine or in the window. */
type Step =
  | { kind: 'job'; number: number; state: State; isStarred: boolean }
  | { kind: 'deleted'; number: number }
  /** The user reads the list again, or goes to another view or to a batch. */
  | { kind: 'read'; place: Place | null }
  /** The window reads the batches again, as after a change of the connection. */
  | { kind: 'batches' }
  | { kind: 'pointer'; held: 'nothing' | 'newcomers' | 'all' }
  /** The engine answers the oldest of these reads, or the oldest answer arrives in the window. */
  | { kind: 'answered' }
  | { kind: 'arrived' }
  /** The window draws what it was sent. */
  | { kind: 'frame' };

/** The endpoint of a job by its number. It never changes. */
const endpointOf = (at: number): string => (at % 2 === 0 ? 'text' : 'image');
/** The batch of a job by its number, or null. It never changes either. */
const batchOf = (at: number): string | null => (at % 3 === 0 ? null : `b${firstAtMs}-${at % 3}`);

const number = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('job' as const),
      number,
      state: fc.constantFrom(...(Object.keys(states) as State[])),
      isStarred: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleted' as const), number }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      place: fc.constantFrom<Place | null>(null, 'all', 'active', 'failed', 'starred', 'batch 1', 'batch 2'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pointer' as const),
      held: fc.constantFrom('nothing' as const, 'newcomers' as const, 'all' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'batches' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'answered' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'arrived' as const }) },
  { weight: 6, arbitrary: fc.constant({ kind: 'frame' as const }) },
);

/** The engine's one state: its jobs, their counts, and what it sends to windows. */
class EngineModel {
  readonly #jobs = new Map<string, Job>();
  readonly #deleted = new Set<string>();
  #revision = 0;
  readonly news: JobNews;

  constructor(send: (changed: Events['job:changed']) => void) {
    this.news = new JobNews({
      emit: (name, payload) => {
        if (name === 'job:changed' && 'removedKeys' in payload) send(payload);
      },
      listen: () => () => {},
    });
  }

  put(job: Job): void {
    if (this.#deleted.has(job.key)) return;
    this.#jobs.set(job.key, job);
    this.#counted(job.batchId);
    this.news.changed([job]);
  }

  remove(key: string): void {
    const batchId = this.#jobs.get(key)?.batchId ?? null;
    if (!this.#jobs.delete(key)) return;
    this.#deleted.add(key);
    this.#counted(batchId);
    this.news.removed([key]);
  }

  /** The jobs of a filter with the counts of now, as one read of the history. */
  page(filter: JobFilter, isOldestFirst: boolean): JobPage {
    const all = [...this.#jobs.values()].toSorted((a, b) => (a.key < b.key !== isOldestFirst ? 1 : -1));
    const jobs = all.filter((job) => matchesFilter(job, filter, nowMs - 43_200_000) === true);
    return {
      jobs,
      nextBeforeKey: null,
      total: jobs.length,
      isTotalCut: false,
      allTotal: all.length,
      counts: this.counts(),
      snippets: {},
    };
  }

  counts(): AllJobCounts {
    const jobs = [...this.#jobs.values()];
    return { revision: this.#revision, all: countsIn(jobs), byConnection: { c1: countsIn(jobs) }, savedBytes: 0 };
  }

  batches(): BatchList {
    const ids = new Set([...this.#jobs.values()].flatMap(({ batchId }) => batchId ?? []));
    return { batches: [...ids].map((id) => this.#batch(id)), revision: this.#revision };
  }

  /** The tray, which is drawn from the counts that were sent last. */
  tray(): string {
    const live = [...this.#jobs.values()].filter(isLive);
    return trayModel({
      counts: this.news.counts().all,
      failures: [],
      live,
      recent: [],
      isPaused: false,
      isOffline: false,
      isUndisturbed: false,
      outcomeUnknown: 0,
      refusals: [],
      connections: [],
      settings: { currentConnectionId: null, globalShortcuts: { isOn: false, open: '', newJob: '' } },
    }).headline;
  }

  #batch(id: string): Batch {
    const rows = [...this.#jobs.values()].filter(({ batchId }) => batchId === id);
    return aBatch(rowsByState(rows), { id, connectionId: 'c1' });
  }

  #counted(batchId: string | null): void {
    this.#revision += 1;
    this.news.counted({ counts: this.counts(), batches: batchId === null ? [] : [this.#batch(batchId)] });
  }
}

function rowsByState(rows: readonly Job[]): BatchCounts {
  const counts = { ...noRows };
  for (const row of rows) counts[batchStateOf(row)] += 1;
  return counts;
}

function activeIn(jobs: readonly Job[]): ActiveCounts {
  const counts: ActiveCounts = { running: 0, queued: 0, sending: 0, toSend: 0, unknown: 0, over: 0 };
  for (const job of jobs) {
    const activity = activityOf({ phase: job.phase, word: statusWordOf(job) });
    if (activity !== null) counts[activity] += 1;
  }
  return counts;
}

function countsIn(jobs: readonly Job[]): JobCounts {
  const failed = jobs.filter(({ phase, status }) => phase === 'finished' && status === 'FAILED');
  const unseen = (of: readonly Job[]): number => of.filter((job) => !job.isSeen && failed.includes(job)).length;
  const endpoints = Object.entries(Object.groupBy(jobs, ({ endpointId }) => endpointId));
  return {
    ...noJobs,
    ...activeIn(jobs),
    all: jobs.length,
    active: jobs.filter(isLive).length,
    failed: failed.length,
    failedUnseen: unseen(failed),
    starred: jobs.filter(({ isStarred }) => isStarred).length,
    byEndpoint: Object.fromEntries(
      endpoints.map(([id, of = []]) => [id, { ...activeIn(of), failedUnseen: unseen(of) }]),
    ),
  };
}

/** Where two places of the window, or the tray, disagree in this frame. */
function disagreements(engine: EngineModel): string[] {
  const { list, total, allTotal, status, shownFilter, filter, hasMore } = useJobs.getState();
  const counts = useSession.getState().counts?.all ?? null;
  // Until the rows of another view are here, the list says that it is reading.
  if (status !== 'ready' || counts === null || shownFilter !== filter) return [];
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown): void => {
    if (JSON.stringify(one) !== JSON.stringify(other))
      found.push(`${what}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`);
  };
  const ofSidebar = countOfView(counts, filter.view);
  const title = listTotal(filter, counts, { total, isTotalCut: false });
  const keys = [...list.live(), ...list.rest()];
  const rows = keys.flatMap((key) => list.get(key) ?? []);
  compareBatches(rows, compare);
  if (filter.batchId !== null) return found;
  compare('the title and the sidebar', title.total, ofSidebar);
  compare('the jobs that the list counted and the sidebar', total, ofSidebar);
  if (filter.view === 'all') compare('the title’s total and the sidebar', allTotal, counts.all);

  compare(
    'the rows, drawn and waiting, and the sidebar',
    rows.length + list.waiting() - leaving(rows, filter),
    ofSidebar,
  );
  if (filter.view === 'all' || filter.view === 'active') {
    const active = activeOf(counts, shownFilter);
    const sections = makeSections(list, nowMs, hasMore, { activeCount: sumOf(active) });
    const head = sections.find(({ id }) => id === 'active');
    const summary = head === undefined ? null : sectionSummary(head, list, active);
    compare('the head of Active and the sidebar', summary?.count ?? 0, counts.active);
    if (list.waiting() === 0) {
      compare('the rows by what they do and the head of Active', activeText(activeIn(rows)), activeText(counts));
      for (const [endpointId, ofEndpoint] of Object.entries(counts.byEndpoint)) {
        const own = rows.filter((job) => job.endpointId === endpointId);
        compare(`the rows and the row of ${endpointId}`, activeText(activeIn(own)), activeText(ofEndpoint));
      }
      const ended = sections.filter(({ id }) => id !== 'active').reduce((sum, { count }) => sum + count, 0);
      if (filter.view === 'all')
        compare('the heads and the sidebar', counts.active + ended + list.justEnded() - begun(list.rest()), counts.all);
    }
  }
  if (engine.news.counts().revision === useSession.getState().counts?.revision)
    compare('the tray and the sidebar', engine.tray().includes(activeText(counts)), true);
  return found;
}

/** The batches, as their strip and the sidebar show them, with the rows of a list that shows them whole, and its head. */
function compareBatches(rows: readonly Job[], compare: (what: string, one: unknown, other: unknown) => void): void {
  const { list, shownFilter, hasMore } = useJobs.getState();
  if (shownFilter?.view !== 'all' || list.waiting() > 0) return;
  const known = knownBatches();
  const ofList = Map.groupBy(rows, ({ batchId }) => batchId);
  for (const batch of known.filter(({ id }) => shownFilter.batchId === null || id === shownFilter.batchId)) {
    const counts = rowsByState(ofList.get(batch.id) ?? []);
    compare(`the batch ${batch.id} and its rows`, outcomeText(batch), outcomeText({ counts, total: sum(counts) }));
  }
  if (useBatchList.getState().readOf.has('c1') && shownFilter.batchId === null)
    compare(
      'the batches and those of the rows',
      known.map(({ id }) => id).toSorted(),
      [...ofList.keys()].flatMap((id) => id ?? []).toSorted(),
    );
  const batch = known.find(({ id }) => id === wholeBatchOf(shownFilter));
  if (batch === undefined) return;
  const sections = makeSections(list, nowMs, hasMore, {});
  const head = sections.find(({ id }) => id === 'active');
  const { waiting, sending, active } = batch.counts;
  compare(
    'the head of Active and the batch',
    head === undefined ? 0 : sectionSummary(head, list, null, batch).count,
    waiting + sending + active,
  );
}

function sum(counts: BatchCounts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

/** Rows that no longer match and stay until rows may move. */
function leaving(rows: readonly Job[], filter: JobFilter): number {
  return rows.filter((job) => matchesFilter(job, filter, nowMs - 43_200_000) === false).length;
}

/** Rows that became active again and were not moved yet. */
function begun(rest: readonly string[]): number {
  return rest.filter((key) => {
    const job = useJobs.getState().list.get(key);
    return job !== undefined && isLive(job);
  }).length;
}

let drawFrame: () => void = () => {};
let sendChanged: (changed: Events['job:changed']) => void = () => {};
let reads: (() => void)[] = [];
let answers: (() => void)[] = [];
let engine: EngineModel;
/** Each run has jobs of its own, because the stores never forget that a job was deleted. */
let firstAtMs = nowMs - 3_600_000;

/** A window of an engine without jobs. The stores listen once, as in the app. */
function openWindow(isFirst: boolean): void {
  reads = [];
  answers = [];
  drawFrame = () => {};
  engine = new EngineModel((changed) => sendChanged(changed));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hasFocus: () => false, hidden: false }));
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => void (drawFrame = run));
  vi.stubGlobal('window', {
    bridge: {
      call: (name: string, input: { filter: JobFilter; sort: JobSort | null }) =>
        new Promise((resolve) => {
          if (name !== 'job:list' && name !== 'batch:list') return resolve(ok(null));
          reads.push(() => {
            const answer = name === 'batch:list' ? engine.batches() : engine.page(input.filter, input.sort !== null);
            answers.push(() => resolve(ok(answer)));
          });
        }),
      on: (name: string, run: (changed: Events['job:changed']) => void) => {
        if (name === 'job:changed') sendChanged = run;
        return () => {};
      },
    },
  });
  if (isFirst) listenToJobs();
  useSession.setState({ connections: [connection] });
  useBatchList.setState({ byId: new Map(), readOf: new Set() });
  void readBatches('c1');
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
afterEach(() => void vi.unstubAllGlobals());

async function take(one: Step): Promise<void> {
  const jobs = useJobs.getState();
  switch (one.kind) {
    case 'job': {
      const { number: at, state, isStarred } = one;
      const own = { endpointId: endpointOf(at), batchId: batchOf(at), batchRow: at, isStarred };
      return engine.put({ ...jobOf(firstAtMs + at, own), ...states[state] });
    }
    case 'deleted':
      return engine.remove(jobOf(firstAtMs + one.number).key);
    case 'read':
      return one.place === null ? void jobs.reload() : jobs.show(placeOf(one.place), emptyQuery);
    case 'batches':
      useBatchList.setState({ readOf: new Set() });
      return void readBatches('c1');
    case 'pointer':
      return jobs.hold(one.held);
    case 'answered':
      return reads.shift()?.();
    case 'arrived':
      answers.shift()?.();
      return settled();
    case 'frame':
      await settled();
      return drawFrame();
  }
}

function placeOf(place: Place): { view: JobFilter['view']; endpointId: null; batchId?: string } {
  switch (place) {
    case 'batch 1':
    case 'batch 2':
      return { view: 'all', endpointId: null, batchId: batchOf(place === 'batch 1' ? 1 : 2) ?? '' };
    default:
      return { view: place, endpointId: null };
  }
}

/** Until no read waits any longer. */
async function answerAll(): Promise<void> {
  for (await settled(); reads.length + answers.length > 0; await settled()) {
    reads.shift()?.();
    answers.shift()?.();
  }
  drawFrame();
  // A batch that is new in this frame has the list read again.
  if (reads.length > 0) await answerAll();
}

it('the sidebar, the title, the heads, the rows, the endpoints, the batches and the tray agree in every frame', async () => {
  let isFirst = true;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      openWindow(isFirst);
      isFirst = false;
      firstAtMs += 20;
      useSession.setState({ counts: null });
      useJobs.getState().hold('nothing');
      useJobs.getState().show({ view: 'all', endpointId: null }, emptyQuery);
      await answerAll();
      try {
        for (const one of steps) {
          await take(one);
          await settled();
          // What was sent before a frame is drawn in it.
          if (one.kind === 'frame') expect(disagreements(engine)).toEqual([]);
        }
      } finally {
        // Also after a failure, because the next run has the same stores.
        await answerAll();
      }
      expect(disagreements(engine)).toEqual([]);
    }),
    { numRuns: 300 },
  );
}, 60_000);
