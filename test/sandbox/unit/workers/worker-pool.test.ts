import { beforeEach, describe, expect, it } from 'vitest';
import type { Scaling } from '../../../../src-main/sandbox/endpoint.ts';
import { COLD_START_MS, DONE, IDLE_TIMEOUT_MS, openPool } from './pool-scene.ts';
import type { PoolScene } from './pool-scene.ts';

describe('worker pool', () => {
  let scene: PoolScene;

  function begin(scaling: Partial<Scaling> = {}): void {
    scene = openPool(scaling);
  }

  beforeEach(() => begin());

  describe('scaling by queue depth', () => {
    it('starts a worker for each waiting job, up to the maximum', () => {
      for (const jobId of ['a', 'b', 'c', 'd', 'e']) scene.submit(jobId);
      expect(scene.scripted.threads).toHaveLength(3);
      expect(scene.pool.counts()).toEqual({ idle: 0, running: 0, initializing: 3, unhealthy: 0, throttled: 0 });
      scene.warmUp();
      expect(scene.runs().flat().sort()).toEqual(['a', 'b', 'c']);
      expect(scene.pool.counts()).toEqual({ idle: 0, running: 3, initializing: 0, unhealthy: 0, throttled: 0 });
      expect(scene.waiting.map(({ jobId }) => jobId)).toEqual(['d', 'e']);
    });

    it('starts a job only when the thread is ready and the cold start is over', () => {
      scene.submit('a');
      scene.scripted.at(0).events.onReady();
      scene.clock.advance(COLD_START_MS - 1);
      expect(scene.runs()).toEqual([[]]);
      scene.clock.advance(1);
      expect(scene.runs()).toEqual([['a']]);

      begin();
      scene.submit('a');
      scene.clock.advance(COLD_START_MS);
      expect(scene.states()).toEqual(['starting v1']);
      scene.scripted.at(0).events.onReady();
      expect(scene.runs()).toEqual([['a']]);
    });

    it('lowPriority jobs start no worker, and run where there is one', () => {
      scene.submit('low', true);
      expect(scene.scripted.threads).toHaveLength(0);
      expect(scene.pool.counts()).toMatchObject({ idle: 0, running: 0, initializing: 0 });

      scene.submit('normal');
      expect(scene.scripted.threads).toHaveLength(1);
      scene.warmUp();
      // First come, first served; the one that was waited for gets a worker of its own.
      expect(scene.runs()).toEqual([['low'], []]);
      scene.warmUp(1);
      expect(scene.runs()).toEqual([['low'], ['normal']]);
      scene.submit('another', true);
      scene.submit('yet another', true);
      expect(scene.scripted.threads).toHaveLength(2);
      scene.scripted.at(0).events.onDone(DONE);
      expect(scene.runs()[0]).toEqual(['low', 'another']);
    });

    it('a lowPriority job runs on the minimum, which it does not raise', () => {
      begin({ minWorkers: 1 });
      scene.submit('low', true);
      scene.submit('low too', true);
      expect(scene.scripted.threads).toHaveLength(1);
      scene.warmUp();
      expect(scene.runs()).toEqual([['low']]);
    });
  });

  describe('minimum and idle timeout', () => {
    it('starts nothing before the first request, then keeps the minimum', () => {
      begin({ minWorkers: 2 });
      expect(scene.scripted.threads).toHaveLength(0);
      scene.pool.ensureMinimum();
      scene.pool.ensureMinimum();
      expect(scene.scripted.threads).toHaveLength(2);
      scene.warmUp();
      scene.clock.advance(100 * IDLE_TIMEOUT_MS);
      expect(scene.states()).toEqual(['idle v1', 'idle v1']);
      scene.scripted.at(0).events.onExit({ code: 1, error: null });
      scene.clock.advance(1_000);
      expect(scene.states()).toEqual(['idle v1', 'starting v1']);
    });

    it('ends workers above the minimum once they were idle for long enough, the longest idle first', () => {
      begin({ minWorkers: 1 });
      for (const jobId of ['a', 'b', 'c']) scene.submit(jobId);
      scene.warmUp();
      const [first, second, third] = scene.pool.workers().map(({ id }) => id);
      scene.scripted.at(1).events.onDone(DONE);
      scene.clock.advance(1_000);
      scene.scripted.at(2).events.onDone(DONE);
      scene.clock.advance(1_000);
      scene.scripted.at(0).events.onDone(DONE);
      scene.clock.advance(IDLE_TIMEOUT_MS - 2_001);
      expect(scene.pool.workers()).toHaveLength(3);
      scene.clock.advance(1);
      expect(scene.pool.workers().map(({ id }) => id)).toEqual([first, third]);
      scene.clock.advance(1_000);
      expect(scene.pool.workers().map(({ id }) => id)).toEqual([first]);
      expect(scene.scripted.threads.map(({ isTerminated }) => isTerminated)).toEqual([false, true, true]);
      expect(second).toBe(scene.scripted.at(1).data.workerId);
      scene.clock.advance(10 * IDLE_TIMEOUT_MS);
      expect(scene.pool.workers()).toHaveLength(1);
    });

    it('counts the idle time from the last job', () => {
      scene.submit('a');
      scene.warmUp();
      scene.scripted.at(0).events.onDone(DONE);
      scene.clock.advance(IDLE_TIMEOUT_MS - 1);
      scene.submit('b');
      scene.scripted.at(0).events.onDone(DONE);
      scene.clock.advance(IDLE_TIMEOUT_MS - 1);
      expect(scene.pool.counts().idle).toBe(1);
      scene.clock.advance(1);
      expect(scene.pool.counts().idle).toBe(0);
      expect(scene.scripted.threads.every(({ isTerminated }) => isTerminated)).toBe(true);
    });

    it('sets no timer for each job', () => {
      scene.submit('a');
      scene.warmUp();
      for (let n = 0; n < 100; n += 1) {
        scene.scripted.at(0).events.onDone(DONE);
        scene.submit(`job ${n}`);
      }
      expect(scene.clock.pendingTimers()).toBeLessThanOrEqual(1);
    });
  });

  describe('rolling release', () => {
    it('replaces idle and starting workers immediately, one for one', () => {
      scene.submit('a');
      scene.submit('b');
      scene.warmUp();
      scene.scripted.at(0).events.onDone(DONE);
      scene.scripted.at(1).events.onDone(DONE);
      expect([scene.pool.version(), scene.states()]).toEqual([1, ['idle v1', 'idle v1']]);
      scene.pool.release();
      expect([scene.pool.version(), scene.states()]).toEqual([2, ['starting v2', 'starting v2']]);
      scene.pool.release();
      expect([scene.pool.version(), scene.states()]).toEqual([3, ['starting v3', 'starting v3']]);
      expect(scene.scripted.threads.map(({ isTerminated }) => isTerminated)).toEqual([
        true,
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(scene.scripted.at(5).data).toMatchObject({ version: 3, changedFile: null });
    });

    it('lets a busy worker finish its job, gives it no other, and then replaces it', () => {
      begin({ maxWorkers: 1 });
      scene.submit('a');
      scene.submit('b');
      scene.warmUp();
      scene.pool.release();
      expect(scene.states()).toEqual(['running v1']);
      expect(scene.scripted.threads).toHaveLength(1);
      scene.scripted.at(0).events.onDone(DONE);
      expect(scene.ends).toEqual(['a done']);
      expect(scene.scripted.at(0).isTerminated).toBe(true);
      expect(scene.states()).toEqual(['starting v2']);
      scene.warmUp(1);
      expect(scene.runs()).toEqual([['a'], ['b']]);
    });

    it('replaces a busy worker whose job is cancelled when it yields', () => {
      scene.submit('a');
      scene.warmUp();
      scene.pool.release();
      scene.pool.stop('a');
      expect(scene.states()).toEqual(['stopping v1']);
      scene.scripted.at(0).events.onStopped();
      expect(scene.states()).toEqual(['starting v2']);
      expect(scene.ends).toEqual([]);
    });

    it('of an endpoint without workers only raises the version', () => {
      scene.pool.release();
      expect([scene.pool.version(), scene.states()]).toEqual([2, []]);
      scene.submit('a');
      expect(scene.states()).toEqual(['starting v2']);
    });
  });

  describe('crashing workers', () => {
    it('a crash fails the job with the error, and the next job gets a new worker', () => {
      begin({ maxWorkers: 1 });
      scene.submit('a');
      scene.submit('b');
      scene.warmUp();
      scene.scripted.at(0).events.onExit({ code: 7, error: new Error('out of reach') });
      expect(scene.ends).toEqual(['a crashed: The worker exited with code 7 before the job was done: out of reach']);
      scene.warmUp(1);
      expect(scene.runs()).toEqual([['a'], ['b']]);
    });

    it('accepts the report of a thread that could still make one', () => {
      scene.submit('a');
      scene.warmUp();
      scene.scripted.at(0).events.onExit({ code: 1, error: null, report: '{"error_message":"its own words"}' });
      expect(scene.ends).toEqual(['a crashed: its own words']);
    });

    it('a handler that cannot be loaded is retried after growing pauses, one worker at a time', () => {
      for (const jobId of ['a', 'b', 'c']) scene.submit(jobId);
      for (const { events } of scene.scripted.threads) events.onExit({ code: 1, error: null });
      expect(scene.pool.counts()).toEqual({ idle: 0, running: 0, initializing: 0, unhealthy: 1, throttled: 0 });
      for (const [attempt, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
        scene.clock.advance(pauseMs - 1);
        expect(scene.states()).toEqual([]);
        scene.clock.advance(1);
        expect(scene.pool.counts()).toMatchObject({ initializing: 1, unhealthy: 1 });
        scene.scripted.at(3 + attempt).events.onExit({ code: 1, error: null });
      }
      scene.clock.advance(30_000);
      scene.warmUp(10);
      expect(scene.pool.counts()).toMatchObject({ running: 1, initializing: 2, unhealthy: 0 });
    });

    it('a release starts it again immediately, followed by the shortest pause', () => {
      scene.submit('a');
      scene.scripted.at(0).events.onExit({ code: 1, error: null });
      scene.clock.advance(1_000);
      scene.scripted.at(1).events.onExit({ code: 1, error: null });
      scene.pool.release();
      expect(scene.pool.counts()).toMatchObject({ initializing: 1, unhealthy: 0 });
      scene.scripted.at(2).events.onExit({ code: 1, error: null });
      scene.clock.advance(1_000);
      scene.warmUp(3);
      expect(scene.runs()[3]).toEqual(['a']);
    });

    it('a worker that crashes without a job is not replaced in a tight loop', () => {
      begin({ minWorkers: 1 });
      scene.pool.ensureMinimum();
      scene.warmUp();
      scene.scripted.at(0).events.onExit({ code: 1, error: null });
      expect(scene.scripted.threads).toHaveLength(1);
      scene.clock.advance(1_000);
      expect(scene.scripted.threads).toHaveLength(2);
    });
  });

  it('a stopped handler that does not yield in 2 s loses its worker, and its late events are ignored', () => {
    begin({ maxWorkers: 1 });
    scene.submit('a');
    scene.warmUp();
    scene.pool.stop('a');
    expect(scene.pool.counts()).toMatchObject({ running: 1 });
    scene.submit('b');
    scene.clock.advance(1_999);
    expect(scene.scripted.at(0)).toMatchObject({ stopCount: 1, isTerminated: false });
    scene.clock.advance(1);
    expect(scene.scripted.at(0).isTerminated).toBe(true);
    scene.scripted.at(0).events.onDone(DONE);
    expect(scene.ends).toEqual([]);
    scene.warmUp(1);
    expect(scene.runs()).toEqual([['a'], ['b']]);
  });

  it('requests no more jobs than there are free workers, however many wait', () => {
    begin({ maxWorkers: 64, coldStartMs: 0 });
    for (let n = 0; n < 5_000; n += 1) scene.waiting.push({ jobId: String(n), isLowPriority: false });
    scene.pool.wake();
    scene.warmUp();
    expect(scene.pool.counts().running).toBe(64);
    const before = scene.waiting.length;
    for (let n = 0; n < 100; n += 1) scene.pool.wake();
    expect(scene.waiting).toHaveLength(before);
    scene.scripted.at(13).events.onDone(DONE);
    expect(scene.waiting).toHaveLength(before - 1);
  });

  it('close ends everything and leaves no timer', async () => {
    begin({ minWorkers: 1 });
    for (const jobId of ['a', 'b', 'c']) scene.submit(jobId);
    scene.warmUp();
    scene.scripted.at(0).events.onDone(DONE);
    scene.pool.stop('b');
    await scene.pool.close();
    expect(scene.scripted.threads.every(({ isTerminated }) => isTerminated)).toBe(true);
    expect(scene.clock.pendingTimers()).toBe(0);
    scene.pool.wake();
    scene.pool.release();
    expect(scene.scripted.threads).toHaveLength(3);
  });
});
