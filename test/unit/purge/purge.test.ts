import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { purgeAnswer } from '../../../src-main/job/commands/queue-purge.ts';
import { purgeAllowance } from '../../../src-main/purge/purge-allowance.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { namesEndpoint, purgeLockMs } from '../../../src-preload/purge.ts';

const failure = (changes: Partial<ServiceFailure>): ServiceFailure => ({
  kind: 'server',
  message: 'It did not work.',
  mayHaveArrived: true,
  ...changes,
});

describe('the answer to a purge', () => {
  it('says how many jobs were removed', () => {
    expect(purgeAnswer(ok({ removed: 0 }))).toEqual({ kind: 'removed', removed: 0 });
  });
  it.each([-1, 2.5])('that reports %d removed is not a count, and the outcome is unknown', (removed) => {
    expect(purgeAnswer(ok({ removed }))).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining(String(removed)),
    });
  });
  it.each<[string, Partial<ServiceFailure>, 'unknown' | 'refused']>([
    ['silence', { kind: 'network' }, 'unknown'],
    ['a time-out', { kind: 'timeout' }, 'unknown'],
    ['closing in between', { kind: 'cancelled' }, 'unknown'],
    ['a 500', { kind: 'server', httpStatus: 500 }, 'unknown'],
    ['a 502', { kind: 'server', httpStatus: 502 }, 'unknown'],
    ['an odd reply', { kind: 'malformed', httpStatus: 200 }, 'unknown'],
    ['a 400', { kind: 'invalid', httpStatus: 400 }, 'refused'],
    ['a 401', { kind: 'unauthorized', httpStatus: 401 }, 'refused'],
    ['a 404', { kind: 'not-found', httpStatus: 404 }, 'refused'],
    ['a 429', { kind: 'rate-limited', httpStatus: 429 }, 'refused'],
    ['nothing sent', { kind: 'network', mayHaveArrived: false }, 'refused'],
  ])('%s: the outcome is %s', (_name, changes, kind) => {
    expect(purgeAnswer(failed(failure(changes))).kind).toBe(kind);
  });
});

describe('purging again', () => {
  it('waits ten seconds after each purge, even after a restart that cleared the governor', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 5 }),
        fc.integer({ min: 0, max: 60_000 }),
        (starts, nowMs) => {
          const { lockedUntilMs, used } = purgeAllowance({ used: 0, lockedUntilMs: null }, starts, nowMs);
          const recent = starts.filter((atMs) => atMs <= nowMs && atMs > nowMs - purgeLockMs);
          expect(used).toBe(recent.length);
          expect(lockedUntilMs).toBe(recent.length === 0 ? null : Math.max(...recent) + purgeLockMs);
        },
      ),
    );
  });
  it('waits for the governor if that is later, such as after a 429', () => {
    expect(purgeAllowance({ used: 1, lockedUntilMs: 40_000 }, [5_000], 6_000)).toEqual({
      used: 1,
      of: 2,
      lockedUntilMs: 40_000,
    });
    expect(purgeAllowance({ used: 1, lockedUntilMs: 5_999 }, [], 6_000).lockedUntilMs).toBeNull();
  });
});

describe('the typed name', () => {
  it.each([
    ['sdxl', true],
    [' sdxl ', true],
    ['vq8x2k', true],
    ['SDXL', false],
    ['', false],
    ['  ', false],
    ['sdx', false],
  ])('%j unlocks: %s', (typed, isNamed) => {
    expect(namesEndpoint(typed, { id: 'vq8x2k', label: 'sdxl' })).toBe(isNamed);
  });
  it('never unlocks if empty, whatever the label', () => {
    expect(namesEndpoint('', { id: 'a', label: '' })).toBe(false);
  });
});
