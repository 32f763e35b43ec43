import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activityOf,
  emptyFilter,
  noJobs,
  statusWordOf,
  type ActiveCounts,
  type JobCounts,
} from '../../../../src-preload/history.ts';
import { activeText } from '../../../../src-preload/messages/active-jobs.ts';
import { isLive, statusKind, type Job } from '../../../../src-preload/job.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { trayModel } from '../../../../src-main/desktop/tray/tray-model.ts';
import { activityNow, activityText, endpointWords } from '../../../../src-renderer/data/endpoint-activity.ts';
import { JobList } from '../../../../src-renderer/data/job-list.ts';
import { sectionSummary } from '../../../../src-renderer/jobs/section-summary.ts';
import { makeSections } from '../../../../src-renderer/jobs/sections.ts';
import { trayLists } from '../../../../src-renderer/windows/tray-lists.ts';
import { jobOf, queued, running } from '../jobs/job-of.ts';

const now = new Date(2025, 10, 20, 14, 30).getTime();
/** What a job becomes; none goes back once it is over, and a retry is a state like another. */
const states = {
  waiting: { ...queued, phase: 'waiting', status: null },
  submitting: { ...queued, phase: 'submitting', status: null },
  queued,
  running,
  done: {},
  failed: { status: 'FAILED', isSeen: false },
  /** Ruling 8. */
  unlisted: { ...running, status: 'RUNNING' },
  unlistedCase: { ...running, status: 'in_progress' },
  settling: { ...running, status: 'COMPLETED' },
} as const satisfies Record<string, Partial<Job>>;
const state = fc.constantFrom(...Object.values(states));
const endpointId = fc.constantFrom('text', 'mock');
const change = fc.record({ at: fc.nat({ max: 11 }), state });

/** What the history's thread counts of these jobs (history/jobs/counts.ts), said a second time. */
function countsOf(jobs: readonly Job[]): JobCounts {
  const active = (some: readonly Job[]): ActiveCounts => {
    const count = (is: (job: Job) => boolean): number => some.filter(is).length;
    return {
      running: count(({ phase, status }) => phase === 'active' && status === 'IN_PROGRESS'),
      queued: count(({ phase, status }) => phase === 'active' && status === 'IN_QUEUE'),
      sending: count(({ phase }) => phase === 'submitting'),
      toSend: count(({ phase }) => phase === 'waiting'),
      unknown: count(({ phase, status }) => phase === 'active' && (status === 'RUNNING' || status === 'in_progress')),
      over: count(({ phase, status }) => phase === 'active' && status === 'COMPLETED'),
    };
  };
  const failedUnseen = (some: readonly Job[]): number => some.filter(({ isSeen }) => !isSeen).length;
  const byEndpoint = Map.groupBy(jobs, (job) => job.endpointId);
  return {
    ...noJobs,
    ...active(jobs),
    all: jobs.length,
    active: jobs.filter(isLive).length,
    failedUnseen: failedUnseen(jobs),
    byEndpoint: Object.fromEntries(
      [...byEndpoint].map(([id, some]) => [id, { ...active(some), failedUnseen: failedUnseen(some) }]),
    ),
  };
}

describe('one state', () => {
  it('is shown by list, heads, endpoints, tray and popover after every change', () => {
    const firstJobs = fc.array(fc.record({ state, endpointId }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(firstJobs, fc.array(change, { maxLength: 30 }), (first, changes) => {
        const jobs = first.map((one, at) => jobOf(now - 60_000 + at, { ...one.state, endpointId: one.endpointId }));
        const list = new JobList();
        list.addPage(jobs.toReversed());
        for (const { at, state: next } of [{ at: 0, state: first[0]?.state ?? queued }, ...changes]) {
          const index = at % jobs.length;
          const before = jobs[index];
          if (before === undefined) continue;
          const after = jobOf(before.createdAtMs, { ...next, endpointId: before.endpointId });
          jobs[index] = after;
          list.apply([after], emptyFilter, now);
          agree(jobs, countsOf(jobs), list);
        }
      }),
    );
  });
});

function agree(jobs: readonly Job[], counts: JobCounts, list: JobList): void {
  const sections = makeSections(list, now, false, { activeCount: counts.active });
  const head = sections.find(({ id }) => id === 'active');
  // The rows agree with the head's counts.
  if (head === undefined) expect(counts.active).toBe(0);
  else {
    expect(sectionSummary(head, list, counts)).toEqual(sectionSummary(head, list, null));
    expect(sectionSummary(head, list, counts).count).toBe(counts.active);
  }
  expect(sections.reduce((sum, { count }) => sum + count, 0)).toBe(counts.all);
  // Endpoints without other users: their rows agree with ours.
  const none = { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 };
  const workers = { idle: 0, running: 0 };
  for (const ours of Object.values(counts.byEndpoint)) {
    const activity = activityNow({ jobs: none, workers }, undefined, ours);
    expect([activity.running, activity.queued]).toEqual([ours.running, ours.queued]);
    // Without its health a row says what the head says, as far as its own jobs go.
    expect(endpointWords(null, ours, 1, true)).toBe(activeText(ours) || 'no jobs of yours');
    expect(endpointWords(activity, ours, 1, true).includes('of unknown status')).toBe(ours.unknown > 0);
    expect(activityText(activity)).toBe(ours.running > 0 ? `${ours.running} running` : 'scaled to zero');
  }
  const live = jobs.filter(isLive);
  const tray = trayModel({
    counts,
    failures: [],
    live,
    recent: jobs,
    isPaused: false,
    isOffline: false,
    isUndisturbed: false,
    outcomeUnknown: 0,
    refusals: [],
    connections: [],
    settings: settingsDefaults,
  });
  const said = head === undefined ? '' : sectionSummary(head, list, counts).text;
  const failures =
    counts.failedUnseen === 0
      ? []
      : [counts.failedUnseen === 1 ? '1 unseen failure' : `${counts.failedUnseen} unseen failures`];
  expect(tray.headline).toBe([...(said === '' ? [] : [said]), ...failures].join(', ') || 'Nothing active');
  expect(tray.icon).toBe(counts.failedUnseen > 0 ? 'failed' : live.length > 0 ? 'active' : 'idle');
  const popover = trayLists(list);
  expect(popover.active.map(({ key }) => key)).toEqual(list.live().slice(0, 4));
  expect(popover.oldestQueued).toEqual(head === undefined ? null : sectionSummary(head, list, counts).oldestQueued);
  // A row and what it is counted as say the same.
  for (const job of live)
    expect(activityOf({ phase: job.phase, word: statusWordOf(job) }) === 'unknown').toBe(statusKind(job) === 'unknown');
  expect(popover.ended.every((job) => !isLive(job))).toBe(true);
}
