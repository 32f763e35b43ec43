import { isLive } from '../../../../src-preload/job.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { createScene } from '../one-clock/scene.ts';
import type { Scene } from '../one-clock/scene.ts';
import { hourMs, minuteMs } from './day-plan.ts';
import type { Day, DayEvent } from './day-plan.ts';

/** A time when the app could reach the service: both were up and the machine awake. */
export interface Spell {
  fromMs: number;
  untilMs: number;
}

export interface LivedDay {
  scene: Scene;
  /** The history at the end, by marker. */
  jobs: ReadonlyMap<string, Job>;
  spells: readonly Spell[];
  /** The answers of `retry` and `cancel`, for the figures. */
  asked: Record<string, number>;
}

/** Plays a day and continues until nothing is active any longer. The caller closes the scene. */
export async function liveDay(day: Day, seed: number): Promise<LivedDay> {
  const scene = await createScene({ seed, endpoints: day.endpoints, workers: 4, sandbox: { limits: 'on' } });
  const { clock, sandbox } = scene;
  const startMs = clock.now();
  const spells: Spell[] = [];
  const keys = new Map<string, string>();
  const asked: Record<string, number> = {};
  let upSinceMs: number | null = null;
  let isVisible = true;

  const up = (): void => void (upSinceMs ??= clock.now());
  function down(): void {
    if (upSinceMs !== null) spells.push({ fromMs: upSinceMs, untilMs: clock.now() });
    upSinceMs = null;
  }

  function tally(what: string, isOk: boolean): void {
    const name = `${what} ${isOk ? 'taken' : 'refused'}`;
    asked[name] = (asked[name] ?? 0) + 1;
  }

  async function goAway(how: 'offline' | 'close' | 'crash' | 'sleep', forMs: number): Promise<void> {
    down();
    const backAtMs = clock.now() + forMs;
    switch (how) {
      case 'offline':
        await sandbox.goOffline();
        await clock.advanceTo(backAtMs);
        await sandbox.goOnline();
        break;
      case 'sleep':
        // Its connections end with it.
        await sandbox.goOffline();
        clock.setAsleep(true);
        await clock.advanceTo(backAtMs);
        await sandbox.goOnline();
        clock.setAsleep(false);
        break;
      default:
        await scene.shut(how);
        await clock.advanceTo(backAtMs);
        await scene.open();
        scene.running().jobs.setWindowVisible(isVisible);
    }
    up();
  }

  async function happen(event: DayEvent): Promise<void> {
    const { jobs } = scene.running();
    const key = 'marker' in event ? keys.get(event.marker) : undefined;
    switch (event.kind) {
      case 'submit':
        keys.set(event.plan.marker, (await scene.submit(event.plan)).key);
        return;
      case 'submit-elsewhere':
        await scene.submitElsewhere(event.plan);
        return;
      case 'cancel':
        if (key !== undefined) tally('cancel', (await jobs.cancel(key)).ok);
        return;
      case 'cancel-elsewhere': {
        const job = key === undefined ? null : (await scene.running().history.get(key))?.job;
        if (job?.jobId != null) await scene.ask('POST', `/v2/${job.endpointId}/cancel/${job.jobId}`);
        return;
      }
      case 'retry':
        if (key !== undefined) tally('retry', (await jobs.retry(key)).ok);
        return;
      case 'window':
        isVisible = event.isVisible;
        jobs.setWindowVisible(isVisible);
        return;
      case 'watch':
        if (key === undefined) return;
        jobs.setOnView([key], []);
        clock.at(clock.now() + event.forMs, () => scene.engine()?.jobs.setOnView([], []));
        return;
      case 'away':
        return await goAway(event.how, event.forMs);
    }
  }

  await scene.open();
  up();
  for (const event of day.events) {
    // Events from a time without the app happen when it is back.
    await clock.advanceTo(Math.max(clock.now(), startMs + event.atMs));
    await happen(event);
  }
  const { history } = scene.running();
  while ((await history.liveJobs()).length > 0) {
    if (clock.now() > startMs + 72 * hourMs) break;
    await clock.advanceTo(clock.now() + 10 * minuteMs);
  }
  // And what is saved only later.
  await clock.advanceTo(clock.now() + minuteMs);
  down();

  const jobs = new Map<string, Job>();
  for (const [marker, key] of keys) {
    const stored = await history.get(key);
    if (stored !== null) jobs.set(marker, stored.job);
  }
  return { scene, jobs, spells, asked };
}

/** Jobs that are still expected to change. */
export function stillLive(lived: LivedDay): Job[] {
  return [...lived.jobs.values()].filter(isLive);
}
