import { describe, expect, it } from 'vitest';
import type { Budget } from '../../../../src-preload/app.ts';
import { backoffLadder, slowedLane, stillWorks } from '../../../../src-renderer/windows/backoff-ladder.ts';

const calm: Budget = {
  connectionId: 'c1',
  endpointId: 'e1',
  operation: 'status',
  spent: 3,
  allowed: 500,
  limit: 2_000,
  heldUntilMs: null,
  heldSinceMs: null,
  backoffStep: 0,
  reason: null,
};
const held = { ...calm, heldSinceMs: 1_000, heldUntilMs: 9_000, backoffStep: 4 };

describe('the ladder of waits after 429s', () => {
  it('ends with the current wait, which fills as it passes', () => {
    expect(backoffLadder(held, 5_000)).toEqual({
      steps: [
        { step: 0, waitMs: 500, isCurrent: false },
        { step: 1, waitMs: 1_000, isCurrent: false },
        { step: 2, waitMs: 2_000, isCurrent: false },
        { step: 4, waitMs: 8_000, isCurrent: true },
      ],
      done: 0.5,
    });
    expect(backoffLadder(held, 0).done).toBe(0);
    expect(backoffLadder(held, 60_000).done).toBe(1);
  });

  it('omits the first of many', () => {
    const waits = backoffLadder({ ...held, backoffStep: 9 }, 5_000).steps.map(({ waitMs }) => waitMs);
    expect(waits).toEqual([16_000, 30_000, 30_000, 8_000]);
  });
});

describe('the operation shown as slowed', () => {
  it('is the one of the connection that waits longest, from the second 429 on', () => {
    const first = { ...held, operation: 'stream', backoffStep: 1, heldUntilMs: 90_000 };
    const longer = { ...held, operation: 'cancel', heldUntilMs: 10_000 };
    const elsewhere = { ...held, connectionId: 'c2', heldUntilMs: 99_000 };
    expect(slowedLane([calm, first, held, longer, elsewhere], 'c1')).toEqual(longer);
    expect(slowedLane([calm, first], 'c1')).toBeNull();
    const tried = { ...held, heldSinceMs: null, heldUntilMs: null };
    expect(slowedLane([tried], 'c1')).toBe(tried);
    expect(backoffLadder(tried, 5_000)).toMatchObject({ done: 1 });
  });

  it('does not include submitting, unless that waits too', () => {
    expect(stillWorks([held], 'c1')).toBe('Submitting still works. Saved jobs are not affected.');
    const run = { ...held, operation: 'run' };
    expect(stillWorks([run], 'c1')).toBe('New jobs wait in the outbox; submitted ones are still polled.');
    expect(stillWorks([run, held], 'c1')).toBe('New jobs wait in the outbox. Saved jobs are not affected.');
    expect(stillWorks([run], 'c2')).toBe('Submitting still works. Saved jobs are not affected.');
  });
});
