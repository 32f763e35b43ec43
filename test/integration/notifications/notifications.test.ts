import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { noBatchLimits, noRows, type Batch } from '../../../src-preload/batch.ts';
import { settingsDefaults, type Settings } from '../../../src-preload/settings.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { TrackerState } from '../../../src-preload/app.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createLog } from '../../../src-main/log.ts';
import { Notifications } from '../../../src-main/notifications/notifications.ts';
import type { ShownNotification } from '../../../src-main/notifications/shown-notification.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock, type VirtualClock } from '../../kit/clock.ts';
import { openTestHistory } from '../../kit/threads.ts';

const calm: TrackerState = {
  nowMs: 0,
  clockSettings: [],
  isPaused: false,
  tracked: 0,
  waitingToSend: 0,
  outcomeUnknown: 0,
  orphans: 0,
  nextStatusReadAtMs: null,
  connections: [],
  closures: [],
  budgets: [],
};
const minute = 60_000;
const folders: string[] = [];
const histories: History[] = [];
afterEach(async () => {
  for (const history of histories.splice(0)) await history.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Run {
  notifications: Notifications;
  shown: ShownNotification[];
  unseen: number[];
  /** Lets time pass, and what began then come to rest. */
  pass(ms: number): Promise<void>;
}

interface Scene {
  history: History;
  clock: VirtualClock;
  settings: Settings;
  tracker: TrackerState;
  /** The desktop shows none. */
  isMute: boolean;
  start(): Promise<Run>;
}

async function aScene(): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-notifications-'));
  folders.push(folder);
  const clock = createVirtualClock(new Date(2026, 10, 20, 12, 0).getTime());
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: clock.now });
  histories.push(history);
  const scene: Scene = {
    history,
    clock,
    settings: settingsDefaults,
    tracker: calm,
    isMute: false,
    async start() {
      const shown: ShownNotification[] = [];
      const unseen: number[] = [];
      const notifications = new Notifications({
        history,
        clock,
        settings: () => scene.settings,
        names: { connectionName: (id) => id, endpointName: ({ endpointId }) => endpointId },
        trackerState: () => scene.tracker,
        onChange: (count) => unseen.push(count),
        log: createLog({ write: () => undefined, now: clock.now }),
      });
      await notifications.start();
      notifications.showWith((notification) => !scene.isMute && shown.push(notification) > 0);
      await notifications.idle();
      return {
        notifications,
        shown,
        unseen,
        async pass(ms) {
          await clock.advance(ms);
          await notifications.idle();
        },
      };
    },
  };
  return scene;
}

const ended = (key: string, changes: Partial<Job> = {}): Job =>
  aJob({ key, title: key, phase: 'finished', status: 'COMPLETED', outputBytes: 3, ...changes });

const aBatch = (changes: Partial<Batch>): Batch => ({
  id: 'b',
  name: 'Nightly',
  connectionId: 'c',
  endpointId: 'echo',
  operation: 'run',
  createdAtMs: 0,
  total: 3,
  isPaused: false,
  limits: noBatchLimits,
  failuresLeft: null,
  counts: { ...noRows, completed: 2, failed: 1 },
  ...changes,
});

describe('notifications', () => {
  it('of a job that was seen before its notification was saved count as seen', async () => {
    const scene = await aScene();
    const run = await scene.start();
    await scene.history.commit([{ job: ended('fog') }, { job: ended('mist') }]);
    for (const key of ['fog', 'mist']) run.notifications.jobEnded(ended(key));
    await scene.history.markSeen(['fog']);
    run.notifications.seen.jobsSeen(['fog']);
    await run.pass(1_000);
    const { notifications } = await scene.history.notifications(null, 10);
    expect(notifications.map(({ jobKey, isSeen }) => [jobKey, isSeen])).toEqual([
      ['mist', false],
      ['fog', true],
    ]);
    expect(run.unseen.at(-1)).toBe(1);
  });

  it('list the end of an open job without showing it, in this run and the next', async () => {
    const scene = await aScene();
    const run = await scene.start();
    let openKey: string | null = 'fog';
    run.notifications.leaveOut((jobKey) => jobKey === openKey);
    run.notifications.jobEnded(ended('fog'));
    await run.pass(1_000);
    openKey = null;
    run.notifications.jobEnded(ended('mist'));
    await run.pass(1_000);
    expect(run.shown.map(({ title }) => title)).toEqual(['mist completed']);
    const { notifications } = await scene.history.notifications(null, 10);
    expect(notifications.map(({ title, delivery }) => [title, delivery])).toEqual([
      ['mist completed', 'shown'],
      ['fog completed', 'watched'],
    ]);
    await run.notifications.close();
    const again = await scene.start();
    await again.pass(1_000);
    expect(again.shown).toEqual([]);
  });

  it('report each end once, after it is written', async () => {
    const scene = await aScene();
    const run = await scene.start();
    run.notifications.jobEnded(ended('fog'));
    await run.pass(500);
    expect(run.shown).toEqual([
      {
        id: 1,
        title: 'fog completed',
        body: 'echo, saved here',
        hasSound: false,
        destination: { kind: 'job', key: 'fog' },
        actions: [],
      },
    ]);
    expect(await scene.history.notifications(null, 10)).toMatchObject({
      notifications: [{ id: 1, jobKey: 'fog', delivery: 'shown', isSeen: false }],
      hasMore: false,
    });
    expect(run.unseen.at(-1)).toBe(1);
  });

  it('never report one outcome twice, in a run or over restarts, and report another outcome of the same job', async () => {
    const scene = await aScene();
    const first = await scene.start();
    const gone = ended('fog', { phase: 'gone', status: 'IN_QUEUE' });
    first.notifications.jobEnded(gone);
    await first.pass(500);
    first.notifications.jobEnded(gone);
    await first.pass(60_000);
    await first.notifications.close();
    const second = await scene.start();
    second.notifications.jobEnded(gone);
    await second.pass(60_000);
    expect(first.shown).toHaveLength(1);
    expect(second.shown).toEqual([]);
    second.notifications.jobEnded(ended('fog'));
    second.notifications.jobEnded(ended('fog', { attempt: 2 }));
    await second.pass(500);
    expect(second.shown.map(({ title }) => title)).toEqual(['fog completed', 'fog completed']);
  });

  it('a notification left undecided by a crash is shown by the next run, once', async () => {
    const scene = await aScene();
    const id = await scene.history.addNotification(
      {
        about: 'job/fog/1/done',
        kind: 'job',
        statusKind: 'done',
        title: 'fog completed',
        body: 'on echo',
        atMs: scene.clock.now() - 60_000,
        connectionId: 'c1',
        endpointId: 'echo',
        jobKey: 'fog',
        batchId: null,
        delivery: 'due',
        deliveredAtMs: null,
      },
      365,
    );
    expect((await scene.start()).shown).toMatchObject([{ id, title: 'fog completed' }]);
    expect((await scene.start()).shown).toEqual([]);
  });

  it('an end that was saved before a crash, but not reported, is reported by the next run, once, and no other', async () => {
    const scene = await aScene();
    const nowMs = scene.clock.now();
    const kept = async (job: Job): Promise<void> => {
      const submission = { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null };
      await scene.history.commit([{ job, submission }]);
    };
    await kept(ended('k1', { title: 'long ago', finishedSeenAtMs: nowMs - 60_000, isSeen: false }));
    await kept(ended('k2', { title: 'said', finishedSeenAtMs: nowMs - 3_000, isSeen: false }));
    await kept(ended('k3', { title: 'seen', finishedSeenAtMs: nowMs - 2_000, isSeen: true }));
    await kept(ended('k4', { title: 'fog', finishedSeenAtMs: nowMs - 1_000, isSeen: false }));
    await kept(aJob({ key: 'k5', title: 'runs', phase: 'active', status: 'IN_PROGRESS', isSeen: false }));
    const before = await scene.start();
    before.notifications.jobEnded(ended('k2', { title: 'said' }));
    await before.pass(500);
    expect(before.shown.map(({ title }) => title)).toEqual(['said completed', 'fog completed']);
    const run = await scene.start();
    await run.pass(60_000);
    expect(run.shown).toEqual([]);
  });

  it('five at the same moment become one, which opens the notification centre', async () => {
    const scene = await aScene();
    const run = await scene.start();
    for (const key of ['a', 'b', 'c', 'd']) run.notifications.jobEnded(ended(key));
    run.notifications.jobEnded(ended('e', { status: 'FAILED' }));
    await run.pass(500);
    expect(run.shown).toMatchObject([
      {
        title: '5 jobs ended',
        body: '4 completed, 1 failed. a completed, and 4 more',
        destination: { kind: 'notifications' },
      },
    ]);
    const { notifications } = await scene.history.notifications(null, 10);
    expect(notifications.map(({ delivery, togetherId }) => [delivery, togetherId])).toEqual(
      Array.from({ length: 5 }, () => ['shown-together', 1]),
    );
  });

  it('quiet hours hold ends over a restart, and report them afterwards', async () => {
    const scene = await aScene();
    scene.settings = { ...settingsDefaults, quietHours: { isOn: true, fromMinute: 11 * 60, toMinute: 13 * 60 } };
    const first = await scene.start();
    first.notifications.jobEnded(ended('fog'));
    first.notifications.jobEnded(ended('mist'));
    await first.pass(30 * minute);
    expect(first.shown).toEqual([]);
    await first.notifications.close();
    const second = await scene.start();
    await second.pass(29 * minute);
    expect(second.shown).toEqual([]);
    await second.pass(2 * minute);
    expect(second.shown).toMatchObject([{ title: '2 jobs ended in quiet hours' }]);
    expect((await scene.start()).shown).toEqual([]);
  });

  it('do not disturb lists and does not show, and ends at its time', async () => {
    const scene = await aScene();
    const untilMs = scene.clock.now() + 60 * minute;
    scene.settings = { ...settingsDefaults, doNotDisturb: { isOn: true, untilMs } };
    const run = await scene.start();
    run.notifications.jobEnded(ended('fog'));
    await run.pass(500);
    expect(run.shown).toEqual([]);
    expect(
      await run.notifications.alertsFired({ title: 'Stuck', body: 'b', connectionId: 'c', endpointId: 'e' }, ['a1']),
    ).toBe('undisturbed');
    expect((await scene.history.notifications(null, 10)).notifications.map(({ delivery }) => delivery)).toEqual([
      'undisturbed',
      'undisturbed',
    ]);
    await run.pass(61 * minute);
    expect(run.shown).toEqual([]);
    run.notifications.jobEnded(ended('mist'));
    await run.pass(500);
    expect(run.shown).toMatchObject([{ title: 'mist completed' }]);
  });

  it('rules choose by endpoint and outcome; reports that are off are not listed either', async () => {
    const scene = await aScene();
    scene.settings = {
      ...settingsDefaults,
      notify: {
        all: { completed: 'off', failed: 'notify', timedOut: 'notify', alerts: 'notify' },
        rows: [
          {
            of: { kind: 'endpoint', connectionId: 'connection-1', endpointId: 'echo' },
            cells: { completed: null, failed: 'with-sound', timedOut: null, alerts: 'off' },
          },
        ],
      },
    };
    const run = await scene.start();
    run.notifications.jobEnded(ended('fog'));
    run.notifications.jobEnded(ended('mist', { status: 'FAILED' }));
    await run.pass(500);
    expect(run.shown).toMatchObject([{ title: 'mist failed', hasSound: true }]);
    expect((await scene.history.notifications(null, 10)).notifications).toHaveLength(1);
    expect(run.notifications.choiceForAlerts('connection-1', 'echo')).toBe('off');
    expect(run.notifications.choiceForAlerts('connection-1', 'other')).toBe('notify');
  });

  it('reports waiting for the digest are counted, with the time of the digest', async () => {
    const scene = await aScene();
    scene.settings = {
      ...scene.settings,
      notify: { all: { completed: 'digest', failed: 'notify', timedOut: 'notify', alerts: 'notify' }, rows: [] },
    };
    const run = await scene.start();
    expect(run.notifications.gathered()).toEqual({ count: 0, dueAtMs: null });
    const firstAtMs = scene.clock.now();
    run.notifications.jobEnded(ended('fog'));
    run.notifications.jobEnded(ended('mist'));
    await run.pass(500);
    expect(run.notifications.gathered()).toEqual({
      count: 2,
      dueAtMs: firstAtMs + scene.settings.digest.everyMinutes * 60_000,
    });
  });

  it('seen reports are deleted after the days the user chose; unseen ones stay', async () => {
    const scene = await aScene();
    scene.settings = { ...scene.settings, notificationsKeptDays: 1 };
    const run = await scene.start();
    run.notifications.jobEnded(ended('seen'));
    run.notifications.jobEnded(ended('not seen'));
    await run.pass(500);
    run.notifications.seen.jobsSeen(['seen']);
    await run.pass(36 * 3_600_000);
    run.notifications.jobEnded(ended('later'));
    await run.pass(500);
    const { notifications } = await scene.history.notifications(null, 10);
    expect(notifications.map(({ title }) => title)).toEqual(['later completed', 'not seen completed']);
  });

  it('a failure of a muted cause is listed and not shown, even if it was muted while the failure was held', async () => {
    const scene = await aScene();
    const run = await scene.start();
    const fails = async (key: string, said: string): Promise<void> => {
      const job = ended(key, { status: 'FAILED', reason: { kind: 'failed', said }, outputBytes: 0 });
      const submission = { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null };
      await scene.history.commit([{ job, submission }]);
      run.notifications.jobEnded(job);
      await run.pass(500);
    };
    const mute = async (message: string): Promise<void> => {
      const causes = async () => (await scene.history.failureCauses('connection-1', 0)).causes;
      // Sorting is done in idle moments of the history's thread.
      await expect.poll(async () => (await causes()).some((cause) => cause.message === message)).toBe(true);
      const cause = (await causes()).find((each) => each.message === message);
      await scene.history.muteCause(cause?.id ?? 0, { untilMs: null, isUntilRise: false, reason: '' });
    };
    const tellings = async () =>
      (await scene.history.notifications(null, 10)).notifications.map(
        ({ jobKey, delivery }) => `${jobKey} ${delivery}`,
      );

    await fails('fog', 'Ran out of memory at step 1');
    expect(run.shown).toMatchObject([{ title: 'fog failed' }]);
    await mute('Ran out of memory at step …');
    await fails('mist', 'Ran out of memory at step 22');
    await fails('rain', 'No such model');
    expect(run.shown.map(({ title }) => title)).toEqual(['fog failed', 'rain failed']);
    expect(await tellings()).toEqual(['rain shown', 'mist muted', 'fog shown']);

    scene.settings = { ...settingsDefaults, quietHours: { isOn: true, fromMinute: 12 * 60, toMinute: 13 * 60 } };
    await fails('snow', 'No such model');
    await fails('hail', 'Another reason');
    await mute('No such model');
    await run.pass(60 * minute);
    expect(run.shown.map(({ title }) => title).slice(2)).toEqual(['hail failed']);
    expect((await tellings()).slice(0, 2)).toEqual(['hail after-quiet-hours', 'snow muted']);
  });

  it('a desktop that cannot show them leaves them in the list', async () => {
    const scene = await aScene();
    scene.isMute = true;
    const run = await scene.start();
    run.notifications.jobEnded(ended('fog'));
    await run.pass(500);
    expect((await scene.history.notifications(null, 10)).notifications).toMatchObject([{ delivery: 'off' }]);
    expect(
      await run.notifications.alertsFired({ title: 'Stuck', body: 'b', connectionId: 'c', endpointId: 'e' }, ['a1']),
    ).toBe('off');
  });

  it('are marked as seen with their job, individually, or all together; deleting the job deletes them', async () => {
    const scene = await aScene();
    const run = await scene.start();
    const job = ended('fog');
    await scene.history.commit([
      { job, submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
    ]);
    run.notifications.jobEnded(job);
    run.notifications.jobEnded(ended('mist'));
    run.notifications.jobEnded(ended('rain'));
    await run.pass(500);
    expect(run.shown[0]?.actions).toEqual(['copy-output']);
    expect(run.unseen.at(-1)).toBe(3);
    run.notifications.seen.jobsSeen(['fog']);
    await run.notifications.idle();
    expect(run.unseen.at(-1)).toBe(2);
    await run.notifications.seen.mark({ ids: [2] });
    expect(run.unseen.at(-1)).toBe(1);
    await run.pass(1_000);
    const atMs = await run.notifications.seen.mark({ upToId: 3 });
    expect(run.unseen.at(-1)).toBe(0);
    // Undone: only what that mark changed, not what was seen before.
    await run.notifications.seen.unmark({ upToId: 3 }, atMs);
    expect(run.unseen.at(-1)).toBe(1);
    await run.notifications.seen.mark({ upToId: 3 });
    await run.notifications.seen.unmark({ jobKeys: ['mist', 'fog', 'rain'] }, atMs);
    expect(run.unseen.at(-1)).toBe(1);
    await run.notifications.seen.mark({ upToId: 3 });
    expect(run.unseen.at(-1)).toBe(0);
    await scene.history.removeJob('fog');
    expect((await scene.history.notifications(null, 10)).notifications.map(({ jobKey }) => jobKey)).toEqual([
      'rain',
      'mist',
    ]);
  });

  it('“Over 1 min” skips short jobs and batches, but never a batch that stopped', async () => {
    const scene = await aScene();
    const rule = { completed: 'over-a-minute', failed: 'over-a-minute', timedOut: 'notify', alerts: 'notify' } as const;
    scene.settings = { ...settingsDefaults, notify: { all: rule, rows: [] } };
    const run = await scene.start();
    const nowMs = scene.clock.now();
    run.notifications.jobEnded(ended('short', { acceptedAtMs: nowMs - 60_000 }));
    run.notifications.jobEnded(ended('long', { acceptedAtMs: nowMs - 60_001 }));
    run.notifications.jobEnded(ended('late', { status: 'FAILED', createdAtMs: nowMs - 90_000, acceptedAtMs: null }));
    await run.pass(500);
    expect(run.shown.map(({ title }) => title)).toEqual(['long completed', 'late failed']);
    await run.pass(10_000);
    const batch = aBatch({ id: 'b', createdAtMs: scene.clock.now() - 5_000 });
    run.notifications.batchEnded(batch);
    run.notifications.batchStopped({ ...batch, limits: { maxLive: null, stopAfterFailures: 1 } });
    await run.pass(500);
    expect(run.shown.map(({ title }) => title).slice(2)).toEqual(['Batch “Nightly” stopped']);
  });

  it('hide title and error if the user says so, alone or together; the centre shows them', async () => {
    const scene = await aScene();
    scene.settings = { ...settingsDefaults, hasNotificationDetails: false };
    const run = await scene.start();
    const secret = 'Merger of A and B';
    run.notifications.jobEnded(
      ended('k1', { title: secret, status: 'FAILED', reason: { kind: 'failed', said: secret } }),
    );
    await run.pass(6_000);
    for (const key of ['k2', 'k3', 'k4', 'k5']) run.notifications.jobEnded(ended(key, { title: secret }));
    await run.pass(6_000);
    run.notifications.batchEnded(aBatch({ id: 'b', name: secret }));
    await run.pass(500);
    const alert = { title: secret, body: secret, connectionId: 'c', endpointId: 'echo' };
    await run.notifications.alertsFired(alert, ['a1']);
    expect(run.shown.map(({ title }) => title)).toEqual([
      'A job failed on echo',
      '4 notifications',
      'A batch has failures on echo',
      'An alert on echo',
    ]);
    expect(JSON.stringify(run.shown)).not.toContain('Merger');
    const { notifications } = await scene.history.notifications(null, 10);
    expect(notifications.map(({ title }) => title)).toContain(`${secret} failed`);
  });

  it('a refusal is reported once, and again only if it changes', async () => {
    const scene = await aScene();
    const run = await scene.start();
    const sinceMs = scene.clock.now() + 1;
    scene.tracker = {
      ...calm,
      closures: [
        {
          connectionId: 'c1',
          endpointId: 'echo',
          operation: 'cancel',
          httpStatus: 403,
          path: '/v2/echo/cancel/x',
          serviceSaid: null,
          sinceMs,
          nextTryMs: null,
        },
      ],
    };
    run.notifications.refusalsChanged();
    await run.pass(3_000);
    run.notifications.refusalsChanged();
    await run.pass(3_000);
    expect(run.shown).toMatchObject([{ title: 'Cancel on echo is refused (403)', actions: [] }]);
    expect((await scene.history.notifications(null, 10)).notifications).toMatchObject([{ kind: 'refusal' }]);
  });
});
