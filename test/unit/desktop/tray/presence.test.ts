import { describe, expect, it } from 'vitest';
import { findTray } from '../../../../src-main/desktop/tray/presence.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

function found(answers: (boolean | null)[]) {
  const clock = createVirtualClock();
  let asked = 0;
  let reported = 0;
  const hasTray = findTray({
    clock,
    check: async () => answers[(asked += 1) - 1] ?? null,
    onAbsent: () => void (reported += 1),
  });
  return { clock, hasTray, asked: () => asked, reported: () => reported };
}

describe('tray support of the desktop', () => {
  it.each([true, null])('is settled by one answer: %s', async (answer) => {
    const { clock, hasTray, asked, reported } = found([answer]);
    await clock.advance(60_000);
    expect([hasTray(), asked(), reported(), clock.pending()]).toEqual([true, 1, 0, 0]);
  });

  it('is checked again for a panel that starts after Jobdeck, and nothing is reported', async () => {
    const { clock, hasTray, asked, reported } = found([false, true]);
    await clock.advance(1_000);
    expect(hasTray()).toBe(false);
    await clock.advance(60_000);
    expect([hasTray(), asked(), reported(), clock.pending()]).toEqual([true, 2, 0, 0]);
  });

  it('is reported once if there is none, still detected later, and then no longer checked', async () => {
    const { clock, hasTray, asked, reported } = found([false, false, true]);
    await clock.advance(6_000);
    expect([hasTray(), reported()]).toEqual([false, 1]);
    await clock.advance(60_000);
    expect([hasTray(), asked(), reported(), clock.pending()]).toEqual([true, 3, 1, 0]);
  });
});
