import { describe, expect, it } from 'vitest';
import { createHealthInTurn } from '../../../../src-main/job/polling/health-in-turn.ts';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import type { Health } from '../../../../src-preload/health.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

const tooSoon: Result<Health> = failed({ kind: 'refused', message: 'Try again in a moment.' });

function aWorld() {
  const clock = createVirtualClock();
  const freeFromMs = clock.now() + 1_000;
  const health = (atMs: number): Health => ({
    endpointId: 'text',
    connectionId: 'main',
    atMs,
    jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 1, running: 0 },
    extra: {},
  });
  const world = { clock, freeFromMs, asked: 0, health };
  const inTurn = createHealthInTurn(clock, async () => {
    world.asked += 1;
    return clock.now() < freeFromMs ? tooSoon : ok(health(clock.now()));
  });
  return { world, inTurn };
}

describe('reading health in turn', () => {
  it('waits for the end of the second in which the endpoint was read (ruling 20)', async () => {
    const { world, inTurn } = aWorld();
    const read = inTurn.read('main', 'text');
    await world.clock.advance(999);
    expect(world.asked).toBe(1);
    await world.clock.advance(1);
    expect(await read).toEqual(ok(world.health(world.freeFromMs)));
    expect(world.asked).toBe(2);
  });

  it('reads on behalf of the user, or automatically, and so when it is repeated', async () => {
    const clock = createVirtualClock();
    const automatic: (boolean | undefined)[] = [];
    const inTurn = createHealthInTurn(clock, async (_connectionId, _endpointId, how) => {
      automatic.push(how?.isAutomatic);
      return tooSoon;
    });
    const reads = [inTurn.read('main', 'text'), inTurn.read('main', 'text', { isAutomatic: true })];
    await clock.advance(1_000);
    expect(await Promise.all(reads)).toEqual([tooSoon, tooSoon]);
    expect(automatic).toEqual([undefined, true, undefined, true]);
  });

  it('does not wait after another failure', async () => {
    const clock = createVirtualClock();
    const absent: Result<Health> = failed({ kind: 'absent', message: 'There is no such endpoint.' });
    expect(await createHealthInTurn(clock, async () => absent).read('main', 'text')).toEqual(absent);
    expect(clock.pending()).toBe(0);
  });

  it('ends when Jobdeck closes, without a request and without a timer', async () => {
    const { world, inTurn } = aWorld();
    const read = inTurn.read('main', 'text');
    await world.clock.advance(0);
    expect(world.clock.pending()).toBe(1);
    inTurn.close();
    expect(await read).toEqual(tooSoon);
    expect(await inTurn.read('main', 'text')).toEqual(tooSoon);
    expect([world.clock.pending(), world.asked]).toEqual([0, 2]);
  });
});
