import { beforeEach, describe, expect, it } from 'vitest';
import type { Scaling } from '../../../../src-main/sandbox/endpoint.ts';
import { DONE, IDLE_TIMEOUT_MS, openPool } from './pool-scene.ts';
import type { PoolScene } from './pool-scene.ts';

describe('scaling of a worker pool', () => {
  let scene: PoolScene;

  function begin(scaling: Partial<Scaling> = {}): void {
    scene = openPool(scaling);
  }

  beforeEach(() => begin());

  describe('scaling changed while running', () => {
    it('a raised maximum starts workers for waiting jobs', () => {
      begin({ maxWorkers: 0 });
      scene.submit('a');
      scene.submit('b');
      expect(scene.scripted.threads).toHaveLength(0);
      scene.pool.setScaling({ maxWorkers: 5 });
      expect(scene.scripted.threads).toHaveLength(2);
      expect(scene.pool.scaling()).toEqual({
        minWorkers: 0,
        maxWorkers: 5,
        coldStartMs: 100,
        idleTimeoutMs: 5_000,
        throttledWorkers: 0,
      });
    });

    it('a lowered maximum ends idle workers immediately and busy ones after their job', () => {
      for (const jobId of ['a', 'b', 'c']) scene.submit(jobId);
      scene.warmUp();
      scene.scripted.at(0).events.onDone(DONE);
      scene.pool.setScaling({ maxWorkers: 1 });
      expect(scene.scripted.at(0).isTerminated).toBe(true);
      expect(scene.states()).toEqual(['running v1', 'running v1']);
      scene.submit('d');
      scene.scripted.at(1).events.onDone(DONE);
      expect(scene.scripted.at(1).isTerminated).toBe(true);
      scene.scripted.at(2).events.onDone(DONE);
      expect(scene.runs()[2]).toContain('d');
      expect(scene.ends.length).toBe(3);
      expect(scene.scripted.threads).toHaveLength(3);
    });

    it('a lowered maximum ends starting workers before idle ones', () => {
      scene.submit('a');
      scene.warmUp();
      scene.submit('b');
      scene.scripted.at(0).events.onDone(DONE);
      // The job that the second worker was started for went to the first.
      expect(scene.states()).toEqual(['running v1', 'starting v1']);
      scene.scripted.at(0).events.onDone(DONE);
      scene.pool.setScaling({ maxWorkers: 1 });
      expect(scene.states()).toEqual(['idle v1']);
    });

    it('maximum 0 ends all idle workers; jobs wait until it is raised', () => {
      begin({ minWorkers: 1 });
      scene.pool.ensureMinimum();
      scene.warmUp();
      scene.pool.setScaling({ maxWorkers: 0 });
      scene.submit('a');
      expect(scene.pool.workers()).toEqual([]);
      scene.pool.setScaling({ maxWorkers: 1 });
      scene.warmUp(1);
      expect(scene.runs()).toEqual([[], ['a']]);
    });

    it('a lowered minimum lets its former workers time out', () => {
      begin({ minWorkers: 2 });
      scene.pool.ensureMinimum();
      scene.warmUp();
      scene.clock.advance(10 * IDLE_TIMEOUT_MS);
      scene.pool.setScaling({ minWorkers: 1 });
      expect(scene.pool.workers()).toHaveLength(2);
      scene.clock.advance(0);
      expect(scene.pool.workers()).toHaveLength(1);
    });

    it('a raised minimum starts workers immediately, unless the endpoint was never called', () => {
      scene.pool.setScaling({ minWorkers: 2 });
      expect(scene.scripted.threads).toHaveLength(0);
      scene.pool.ensureMinimum();
      expect(scene.scripted.threads).toHaveLength(2);
      scene.pool.setScaling({ minWorkers: 3 });
      expect(scene.scripted.threads).toHaveLength(3);
    });

    it('a changed idle timeout applies to workers that are already idle', () => {
      scene.submit('a');
      scene.warmUp();
      scene.scripted.at(0).events.onDone(DONE);
      scene.clock.advance(1_000);
      scene.pool.setScaling({ idleTimeoutMs: 1_500 });
      scene.clock.advance(499);
      expect(scene.pool.counts().idle).toBe(1);
      scene.clock.advance(1);
      expect(scene.pool.counts().idle).toBe(0);
    });

    it('a changed cold start applies to the next worker', () => {
      scene.pool.setScaling({ coldStartMs: 0 });
      scene.submit('a');
      scene.scripted.at(0).events.onReady();
      expect(scene.runs()).toEqual([['a']]);
    });

    it.each([
      [{ maxWorkers: -1 }, 'maxWorkers must be a whole number from 0 to 256, not -1.'],
      [{ minWorkers: 1.5 }, 'minWorkers must be a whole number from 0 to 256, not 1.5.'],
      [{ throttledWorkers: 257 }, 'throttledWorkers must be a whole number from 0 to 256, not 257.'],
      [{ coldStartMs: Number.NaN }, 'coldStartMs must be a whole number from 0 to 604800000, not NaN.'],
    ])('refuses %j and changes nothing', (change, message) => {
      const before = scene.pool.scaling();
      expect(() => scene.pool.setScaling(change)).toThrow(new RangeError(message));
      expect(scene.pool.scaling()).toEqual(before);
    });
  });

  describe('throttled workers', () => {
    it('reduce the running workers, and are counted', () => {
      scene.pool.setScaling({ throttledWorkers: 2 });
      for (const jobId of ['a', 'b', 'c']) scene.submit(jobId);
      expect(scene.pool.counts()).toEqual({ idle: 0, running: 0, initializing: 1, unhealthy: 0, throttled: 2 });
      scene.pool.setScaling({ throttledWorkers: 0 });
      expect(scene.pool.counts()).toMatchObject({ initializing: 3, throttled: 0 });
    });

    it('are never more than the maximum', () => {
      scene.pool.setScaling({ throttledWorkers: 100 });
      scene.submit('a');
      expect(scene.pool.counts()).toEqual({ idle: 0, running: 0, initializing: 0, unhealthy: 0, throttled: 3 });
    });

    it('take effect on existing workers', () => {
      scene.submit('a');
      scene.submit('b');
      scene.warmUp();
      scene.scripted.at(0).events.onDone(DONE);
      scene.pool.setScaling({ throttledWorkers: 3 });
      expect(scene.states()).toEqual(['running v1']);
      scene.scripted.at(1).events.onDone(DONE);
      expect(scene.states()).toEqual([]);
      expect(scene.ends).toEqual(['a done', 'b done']);
    });
  });
});
