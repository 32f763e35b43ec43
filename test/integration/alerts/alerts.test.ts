import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AlertNotification, AlertOverview, AlertRecord } from '../../../src-preload/alert.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import type { Health } from '../../../src-preload/health.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import type { Settings } from '../../../src-preload/settings.ts';
import { Alerts } from '../../../src-main/alerts/alerts.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createJobKeys } from '../../../src-main/job/reducer/new-job.ts';
import { createLog } from '../../../src-main/log.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { aConnection } from '../../kit/a-connection.ts';

/** Alerts over a real database, with facts pushed by hand and a clock that stands still. */
interface Scene {
  alerts: Alerts;
  history: History;
  clock: VirtualClock;
  shown: AlertNotification[];
  told: AlertOverview[];
  settings: Settings;
  muted: Set<string>;
  /** The rules want no alerts. */
  isOff: boolean;
  /** True: no alert can be kept, and no rules forgotten. */
  isDiskFull: boolean;
  /** True: whether an endpoint is muted cannot be read. */
  isMuteUnreadable: boolean;
  /** True: no rules can be read. */
  areRulesUnreadable: boolean;
  /** A reading of `echo`, kept and pushed. */
  read(changes: { inQueue?: number; idle?: number; running?: number; failed?: number }): Promise<void>;
  /** Lets time pass, with a reading every three seconds when one is given. */
  pass(ms: number, changes?: Parameters<Scene['read']>[0]): Promise<void>;
  records(): Promise<AlertRecord[]>;
  phase(ruleKind: string): Promise<string | undefined>;
  /** Ends the alerts and starts others over the same database, `closedMs` later. */
  restart(closedMs: number): Promise<void>;
}

const connection: Connection = aConnection({
  endpoints: [
    { id: 'echo', label: 'Echo', flavour: 'other' },
    { id: 'mock', label: '', flavour: 'other' },
  ],
});

const folders: string[] = [];
const opened: { alerts: Alerts; history: History }[] = [];
afterEach(async () => {
  for (const { alerts, history } of opened.splice(0)) {
    await alerts.close();
    await history.close();
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** 12:00 of a day, local time. */
const noon = new Date(2026, 9, 7, 12).getTime();

async function openScene(): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-alerts-'));
  folders.push(folder);
  let idle: () => Promise<void> = async () => {};
  const clock = createVirtualClock(noon, () => idle());
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: clock.now });
  const scene = {
    history,
    clock,
    shown: [] as AlertNotification[],
    told: [] as AlertOverview[],
    settings: { ...settingsDefaults },
    muted: new Set<string>(),
    isOff: false,
    isDiskFull: false,
    isMuteUnreadable: false,
    areRulesUnreadable: false,
  };
  const start = async (): Promise<Alerts> => {
    const live = await history.liveJobs();
    const alerts = new Alerts({
      history: {
        ...history,
        putAlert: async (alert) =>
          scene.isDiskFull ? await Promise.reject(new Error('The disk is full.')) : await history.putAlert(alert),
        readDocument: async (kind, id) =>
          scene.areRulesUnreadable
            ? await Promise.reject(new Error('The file is locked.'))
            : await history.readDocument(kind, id),
        removeDocument: async (kind, id) =>
          scene.isDiskFull
            ? await Promise.reject(new Error('The disk is full.'))
            : await history.removeDocument(kind, id),
      },
      liveJobs: () => live,
      clock,
      newId: createJobKeys(clock.now, Math.random),
      settings: () => scene.settings,
      choiceFor: () => (scene.isOff ? 'off' : 'notify'),
      mutedUntilMs: async (_connectionId, endpointId) => {
        if (scene.isMuteUnreadable) throw new Error('The disk cannot be read.');
        return scene.muted.has(endpointId) ? Infinity : null;
      },
      endpointName: ({ endpointId }) => (endpointId === 'echo' ? 'Echo' : endpointId),
      onChange: (overview) => scene.told.push(overview),
      log: createLog({ write: () => {}, now: clock.now }),
    });
    alerts.showWith(async (notification) => {
      scene.shown.push(notification);
      return 'shown';
    });
    idle = () => alerts.idle();
    await alerts.start([connection]);
    await alerts.idle();
    return alerts;
  };
  let alerts = await start();
  const here = { alerts, history };
  opened.push(here);
  const read: Scene['read'] = async ({ inQueue = 0, idle: idleWorkers = 0, running = 1, failed = 0 }) => {
    const health: Health = {
      connectionId: 'c1',
      endpointId: 'echo',
      atMs: clock.now(),
      jobs: { completed: 0, failed, inProgress: 0, inQueue, retried: 0 },
      workers: { idle: idleWorkers, running },
      extra: {},
    };
    await history.addHealth(health);
    alerts.healthRead(health);
    await alerts.idle();
  };
  return {
    ...scene,
    get alerts() {
      return alerts;
    },
    get settings() {
      return scene.settings;
    },
    set settings(settings) {
      scene.settings = settings;
    },
    get isOff() {
      return scene.isOff;
    },
    set isOff(isOff) {
      scene.isOff = isOff;
    },
    get isDiskFull() {
      return scene.isDiskFull;
    },
    set isDiskFull(isFull) {
      scene.isDiskFull = isFull;
    },
    get isMuteUnreadable() {
      return scene.isMuteUnreadable;
    },
    set isMuteUnreadable(isUnreadable) {
      scene.isMuteUnreadable = isUnreadable;
    },
    get areRulesUnreadable() {
      return scene.areRulesUnreadable;
    },
    set areRulesUnreadable(areUnreadable) {
      scene.areRulesUnreadable = areUnreadable;
    },
    read,
    async pass(ms, changes) {
      const untilMs = clock.now() + ms;
      if (changes !== undefined) {
        while (clock.now() + 3_000 <= untilMs) {
          await clock.advance(3_000);
          await read(changes);
        }
      }
      await clock.advance(untilMs - clock.now());
    },
    records: () => history.alerts('c1', null, null, 100),
    async phase(ruleKind) {
      const overview = await alerts.overview('c1');
      return overview.ok
        ? overview.value.ruleStates.find(({ ruleId, endpointId }) => ruleId.endsWith(ruleKind) && endpointId === 'echo')
            ?.phase
        : undefined;
    },
    async restart(closedMs) {
      await alerts.close();
      clock.jump(closedMs);
      alerts = await start();
      here.alerts = alerts;
    },
  };
}

const full = { inQueue: 12 };

describe('a stuck queue', () => {
  it('is pending, fires after two minutes, notifies and is saved, and ends once it has been drained for a while', async () => {
    const scene = await openScene();
    await scene.read(full);
    expect(await scene.phase('stuck-queue')).toBe('pending');
    await scene.pass(117_000, full);
    expect(await scene.phase('stuck-queue')).toBe('pending');
    expect(scene.shown).toEqual([]);
    // The last three seconds by time alone.
    await scene.pass(3_000);
    expect(await scene.phase('stuck-queue')).toBe('firing');
    expect(scene.shown).toEqual([
      {
        title: 'Stuck queue on Echo',
        body: '12 jobs waiting, no idle worker, for 2 min or longer.',
        connectionId: 'c1',
        endpointId: 'echo',
      },
    ]);
    expect(scene.clock.pending()).toBe(0);
    await scene.pass(60_000, full);
    expect(await scene.records()).toEqual([
      expect.objectContaining({
        kind: 'stuck-queue',
        endpointId: 'echo',
        sinceMs: noon,
        firedAtMs: noon + 120_000,
        endedAtMs: null,
        delivery: 'notified',
        deliveredAtMs: noon + 120_000,
      }),
    ]);
    await scene.read({ idle: 1 });
    expect(await scene.phase('stuck-queue')).toBe('firing');
    await scene.pass(30_000);
    expect(await scene.phase('stuck-queue')).toBe('quiet');
    expect(await scene.records()).toEqual([
      expect.objectContaining({ endedAtMs: noon + 180_000, isEndExact: true, delivery: 'notified' }),
    ]);
    expect(scene.clock.pending()).toBe(0);
    expect(scene.told.at(-1)?.ruleStates.find(({ lastFiredAtMs }) => lastFiredAtMs !== null)).toMatchObject({
      phase: 'quiet',
      lastFiredAtMs: noon + 120_000,
    });
  });

  it('keeps firing over a restart, and an end while Jobdeck was closed is not exact', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.pass(120_000, full);
    await scene.restart(3_600_000);
    expect(await scene.phase('stuck-queue')).toBe('firing');
    await scene.read({ idle: 1 });
    await scene.pass(30_000);
    const [record, ...others] = await scene.records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      isEndExact: false,
      lastSeenAtMs: noon + 120_000,
      endedAtMs: noon + 120_000 + 3_600_000,
    });
    expect(scene.shown).toHaveLength(1);
  });

  it('resumes from saved readings after a short restart', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.pass(60_000, full);
    await scene.restart(20_000);
    expect(await scene.phase('stuck-queue')).toBe('pending');
    await scene.pass(40_000, full);
    expect(await scene.records()).toEqual([expect.objectContaining({ sinceMs: noon, firedAtMs: noon + 120_000 })]);
  });

  it('ends on time even if the clock was put back while Jobdeck was closed', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.pass(120_000, full);
    await scene.restart(-86_400_000);
    expect(await scene.phase('stuck-queue')).toBe('firing');
    await scene.read({ idle: 1 });
    await scene.pass(30_000);
    expect(await scene.phase('stuck-queue')).toBe('quiet');
    await scene.read(full);
    await scene.pass(120_000, full);
    expect(await scene.phase('stuck-queue')).toBe('firing');
    expect(scene.shown).toHaveLength(2);
  });

  it('does not fire for a queue that was not read for a long time', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.restart(600_000);
    await scene.read(full);
    await scene.pass(60_000, full);
    expect(scene.shown).toEqual([]);
    expect(await scene.phase('stuck-queue')).toBe('pending');
  });
});

describe('a long wait', () => {
  it('of a job of a former run is known again after its status read', async () => {
    const scene = await openScene();
    await scene.alerts.saveRule({
      connectionId: 'c1',
      endpointId: 'mock',
      condition: { kind: 'long-wait', overMs: 300_000 },
    });
    const job = aJob({
      connectionId: 'c1',
      endpointId: 'mock',
      acceptedAtMs: noon,
      createdAtMs: noon,
      statusReadAtMs: noon + 10_000,
    });
    await scene.history.commit([
      { job, submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
    ]);
    await scene.restart(30_000);
    // By time alone: the last look stands for three minutes, and then nothing is claimed.
    await scene.pass(280_000);
    expect(scene.shown).toEqual([]);
    scene.alerts.jobsChanged([{ ...job, statusReadAtMs: noon + 310_000 }]);
    await scene.alerts.idle();
    expect(scene.shown).toEqual([
      expect.objectContaining({ title: 'Long wait on mock', body: '1 job waits longer than 5 min.' }),
    ]);
    scene.alerts.jobsChanged([{ ...job, status: 'IN_PROGRESS' }]);
    await scene.pass(60_000);
    expect(await scene.records()).toEqual([expect.objectContaining({ endedAtMs: noon + 310_000 })]);
    expect(scene.clock.pending()).toBe(0);
  });
});

describe('failures', () => {
  const fail = (scene: Scene, key: string): void =>
    scene.alerts.jobEnded(
      aJob({
        key,
        connectionId: 'c1',
        endpointId: 'mock',
        phase: 'finished',
        status: 'FAILED',
        acceptedAtMs: scene.clock.now() - 1_000,
        finishedSeenAtMs: scene.clock.now(),
      }),
    );

  it('of our own jobs fire a burst, which ends when they are five minutes old', async () => {
    const scene = await openScene();
    for (const key of ['a', 'b', 'c']) fail(scene, key);
    await scene.alerts.idle();
    expect(scene.shown).toEqual([]);
    fail(scene, 'd');
    await scene.alerts.idle();
    expect(scene.shown).toEqual([
      expect.objectContaining({ title: 'Failure burst on mock', body: '4 failed within 5 min.' }),
    ]);
    await scene.pass(300_000);
    expect(await scene.records()).toEqual([expect.objectContaining({ endedAtMs: noon + 300_000, isEndExact: true })]);
    expect(scene.clock.pending()).toBe(0);
  });

  it('are counted as they are now while the burst continues, and in its record as they were when it fired', async () => {
    const scene = await openScene();
    await scene.read({ failed: 0 });
    await scene.pass(3_000, { failed: 4 });
    expect(scene.alerts.firing().map(({ text }) => text)).toEqual(['4 failed within 5 min']);
    await scene.pass(60_000, { failed: 48 });
    expect(scene.alerts.firing().map(({ text }) => text)).toEqual(['48 failed within 5 min']);
    expect((await scene.records()).map(({ text }) => text)).toEqual(['4 failed within 5 min']);
  });

  it('of one commit are judged together', async () => {
    const scene = await openScene();
    for (let number = 0; number < 30; number += 1)
      scene.alerts.jobEnded(
        aJob({
          key: `k${number}`,
          connectionId: 'c1',
          endpointId: 'echo',
          phase: 'finished',
          status: 'FAILED',
          acceptedAtMs: noon,
          finishedSeenAtMs: noon,
        }),
      );
    await scene.alerts.idle();
    expect(scene.shown).toMatchObject([{ body: '30 failed within 5 min.' }]);
  });

  it('are reported when it can be read again who is muted, and windows see them at once', async () => {
    const scene = await openScene();
    scene.isMuteUnreadable = true;
    await scene.read(full);
    await scene.pass(120_000, full);
    expect(scene.shown).toEqual([]);
    expect(scene.told.at(-1)?.ruleStates.some(({ phase }) => phase === 'firing')).toBe(true);
    scene.isMuteUnreadable = false;
    await scene.pass(30_000);
    expect(scene.shown.map(({ title }) => title)).toEqual(['Stuck queue on Echo']);
    expect(scene.clock.pending()).toBe(0);
  });

  it('are reported once while the disk refuses writes, and saved when it accepts them again', async () => {
    const scene = await openScene();
    scene.isDiskFull = true;
    for (const endpointId of ['echo', 'mock']) {
      for (let number = 0; number < 5; number += 1)
        scene.alerts.jobEnded(
          aJob({
            key: `${endpointId}${number}`,
            connectionId: 'c1',
            endpointId,
            phase: 'finished',
            status: 'FAILED',
            acceptedAtMs: noon,
            finishedSeenAtMs: noon,
          }),
        );
    }
    await scene.alerts.idle();
    await scene.pass(120_000);
    expect(scene.shown.map(({ title }) => title)).toEqual(['2 alerts, 2 still firing']);
    expect(scene.told.at(-1)?.ruleStates.filter(({ phase }) => phase === 'firing')).toHaveLength(2);
    scene.isDiskFull = false;
    await scene.pass(200_000);
    expect(await scene.records()).toMatchObject([
      { delivery: 'notified', endedAtMs: noon + 300_000 },
      { delivery: 'notified', endedAtMs: noon + 300_000 },
    ]);
  });

  it('at several endpoints are reported at most once a minute', async () => {
    const scene = await openScene();
    for (const key of ['a', 'b', 'c', 'd']) fail(scene, key);
    await scene.read({ failed: 0 });
    await scene.read({ failed: 9 });
    await scene.pass(3_000, { failed: 9 });
    expect(scene.shown.map(({ title }) => title)).toEqual(['Failure burst on mock']);
    expect((await scene.records()).map(({ delivery }) => delivery)).toEqual(['due', 'notified']);
    await scene.pass(60_000);
    expect(scene.shown.map(({ title }) => title)).toEqual(['Failure burst on mock', 'Failure burst on Echo']);
  });
});

describe('quiet hours, digests and mutes', () => {
  const fire = async (scene: Scene): Promise<void> => {
    await scene.read(full);
    await scene.pass(120_000, full);
  };
  const minutesOfNoon = 12 * 60;

  it('hold alerts back and report them together afterwards, even over a restart', async () => {
    const scene = await openScene();
    scene.settings = {
      ...settingsDefaults,
      quietHours: { isOn: true, fromMinute: minutesOfNoon - 60, toMinute: minutesOfNoon + 30 },
    };
    await fire(scene);
    for (const key of ['a', 'b', 'c', 'd'])
      scene.alerts.jobEnded(
        aJob({
          key,
          connectionId: 'c1',
          endpointId: 'mock',
          phase: 'finished',
          status: 'FAILED',
          acceptedAtMs: noon,
          finishedSeenAtMs: scene.clock.now(),
        }),
      );
    await scene.alerts.idle();
    expect(scene.shown).toEqual([]);
    expect((await scene.records()).map(({ delivery }) => delivery)).toEqual(['held', 'held']);
    await scene.restart(60_000);
    expect(scene.shown).toEqual([]);
    await scene.pass(26 * 60_000);
    expect(scene.shown).toEqual([]);
    await scene.pass(60_000);
    expect(scene.shown).toEqual([
      expect.objectContaining({
        title: '2 alerts in quiet hours, 1 still firing',
        body: '12:02 Stuck queue on Echo\n12:02 Failure burst on mock',
      }),
    ]);
    expect((await scene.records()).map(({ delivery, deliveredAtMs }) => ({ delivery, deliveredAtMs }))).toEqual(
      [1, 2].map(() => ({ delivery: 'after-quiet-hours', deliveredAtMs: noon + 30 * 60_000 })),
    );
  });

  it('a digest collects alerts; when it is turned off, it reports what it collected', async () => {
    const scene = await openScene();
    scene.settings = { ...settingsDefaults, digest: { isOn: true, everyMinutes: 60 } };
    await fire(scene);
    expect(scene.shown).toEqual([]);
    expect((await scene.records()).map(({ delivery }) => delivery)).toEqual(['gathered']);
    scene.settings = settingsDefaults;
    scene.alerts.notificationsChanged();
    await scene.alerts.idle();
    expect(scene.shown).toHaveLength(1);
  });

  it('alerts of a muted endpoint, or with notifications off, are saved as such and not shown', async () => {
    const scene = await openScene();
    scene.muted.add('echo');
    await fire(scene);
    expect((await scene.records()).map(({ delivery }) => delivery)).toEqual(['muted']);
    scene.isOff = true;
    for (const key of ['a', 'b', 'c', 'd'])
      scene.alerts.jobEnded(
        aJob({
          key,
          connectionId: 'c1',
          endpointId: 'mock',
          phase: 'finished',
          status: 'FAILED',
          acceptedAtMs: noon,
          finishedSeenAtMs: scene.clock.now(),
        }),
      );
    await scene.alerts.idle();
    expect((await scene.records()).map(({ delivery }) => delivery)).toEqual(['off', 'muted']);
    expect(scene.shown).toEqual([]);
  });
});

describe('rules', () => {
  it('exist from the start, three of four turned on', async () => {
    const scene = await openScene();
    const overview = await scene.alerts.overview('c1');
    expect(
      overview.ok && overview.value.rules.map(({ isOn, endpointId, condition }) => [condition.kind, endpointId, isOn]),
    ).toEqual([
      ['stuck-queue', null, true],
      ['failure-burst', null, true],
      ['slow-runs', null, true],
      ['no-worker', null, false],
    ]);
  });

  it('are created, changed, turned off at one endpoint and removed, and stay so over a restart', async () => {
    const scene = await openScene();
    const made = await scene.alerts.saveRule({
      connectionId: 'c1',
      endpointId: 'mock',
      condition: { kind: 'long-wait', overMs: 60_000 },
    });
    // Windows know it before the answer.
    expect(made.ok && made.value).toEqual(scene.told.at(-1));
    const id = made.ok ? (made.value.rules.at(-1)?.id ?? '') : '';
    await scene.alerts.saveRule({
      id,
      connectionId: 'c1',
      endpointId: null,
      condition: { kind: 'long-wait', overMs: 90_000 },
    });
    await scene.alerts.setOn('c1', 'c1:stuck-queue', 'echo', false);
    await scene.alerts.removeRule('c1', 'c1:no-worker');
    await scene.restart(1_000);
    const overview = await scene.alerts.overview('c1');
    expect(overview.ok && overview.value.rules).toEqual([
      expect.objectContaining({ id: 'c1:stuck-queue', isOn: true, exceptions: { echo: false } }),
      expect.objectContaining({ id: 'c1:failure-burst' }),
      expect.objectContaining({ id: 'c1:slow-runs' }),
      expect.objectContaining({ id, endpointId: 'mock', isOn: true, condition: { kind: 'long-wait', overMs: 90_000 } }),
    ]);
    await scene.read(full);
    await scene.pass(180_000, full);
    expect(scene.shown).toEqual([]);
  });

  it('that cannot be read at the start are read later, and shown as unreadable until then', async () => {
    const scene = await openScene();
    scene.areRulesUnreadable = true;
    await scene.restart(1_000);
    expect(await scene.alerts.overview('c1')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    scene.areRulesUnreadable = false;
    await scene.pass(30_000);
    await scene.read(full);
    expect(scene.told.at(-1)?.ruleStates.map(({ phase }) => phase)).toContain('pending');
    expect(await scene.phase('stuck-queue')).toBe('pending');
  });

  it('end their alerts when they are turned off', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.pass(120_000, full);
    await scene.alerts.setOn('c1', 'c1:stuck-queue', null, false);
    await scene.alerts.idle();
    expect(await scene.records()).toEqual([
      expect.objectContaining({ endedAtMs: noon + 120_000, delivery: 'notified' }),
    ]);
    expect(await scene.phase('stuck-queue')).toBe('quiet');
  });

  it('cannot belong to an endpoint or a rule that does not exist', async () => {
    const scene = await openScene();
    expect(
      await scene.alerts.saveRule({
        connectionId: 'c1',
        endpointId: 'gone',
        condition: { kind: 'long-wait', overMs: 60_000 },
      }),
    ).toMatchObject({ ok: false, failure: { kind: 'refused', field: 'endpointId' } });
    expect(await scene.alerts.removeRule('c1', 'gone')).toMatchObject({ ok: false, failure: { kind: 'absent' } });
    expect(await scene.alerts.overview('gone')).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  });

  it('of a removed connection that cannot be deleted from disk do not stop other connections from being watched', async () => {
    const scene = await openScene();
    scene.isDiskFull = true;
    scene.alerts.connectionsChanged([{ ...connection, id: 'c2' }]);
    await scene.alerts.idle();
    expect(await scene.alerts.overview('c2')).toMatchObject({ ok: true, value: { rules: { length: 4 } } });
    expect((await scene.alerts.overview('c1')).ok).toBe(false);
  });

  it('of a removed endpoint or connection end their alerts', async () => {
    const scene = await openScene();
    await scene.read(full);
    await scene.pass(120_000, full);
    scene.alerts.connectionsChanged([{ ...connection, endpoints: connection.endpoints.slice(1) }]);
    await scene.alerts.idle();
    expect(await scene.records()).toEqual([expect.objectContaining({ endedAtMs: noon + 120_000 })]);
    await scene.alerts.setOn('c1', 'c1:slow-runs', null, false);
    scene.alerts.connectionsChanged([]);
    await scene.alerts.idle();
    expect(await scene.history.readDocument('alert-rules', 'c1')).toBeNull();
  });
});

describe('slow runs', () => {
  it('are compared with the p95 of at least twenty completed runs', async () => {
    const scene = await openScene();
    const run = async (index: number, executionTimeMs: number): Promise<void> => {
      const job = aJob({
        key: `run-${String(index).padStart(4, '0')}`,
        jobId: `job-${index}`,
        connectionId: 'c1',
        endpointId: 'echo',
        phase: 'finished',
        status: 'COMPLETED',
        executionTimeMs,
        finishedSeenAtMs: scene.clock.now(),
        acceptedAtMs: scene.clock.now(),
      });
      await scene.history.commit([
        { job, submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
      ]);
      scene.alerts.jobEnded(job);
      await scene.clock.advance(31_000);
    };
    for (let index = 0; index < 10; index += 1) await run(index, 1_000);
    await run(10, 9_000);
    expect(scene.shown).toEqual([]);
    for (let index = 11; index < 40; index += 1) await run(index, 1_000);
    await run(40, 2_500);
    expect(scene.shown.map(({ title, body }) => `${title}: ${body}`)).toEqual([
      'Slow runs on Echo: A run took 2.5 s, more than twice the p95 of 1 s.',
    ]);
  });
});
