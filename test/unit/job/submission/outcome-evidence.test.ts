import { expect, it } from 'vitest';
import type { CounterEvidence } from '../../../../src-preload/job-reason.ts';
import { reasonText } from '../../../../src-preload/messages/job-reason.ts';
import { counterEvidence } from '../../../../src-main/job/submission/outcome-evidence.ts';

it('a submission probably arrived only if nothing else explains the counters', () => {
  const said = (risen: number, unknown: number, areOthersThere = false): string | null =>
    textOf(counterEvidence({ risen, unknown, areOthersThere }));
  expect(said(1, 1)).toMatch(/^It probably arrived/);
  expect(said(2, 2)).toMatch(/^It probably arrived/);
  expect(said(0, 1)).toMatch(/^It probably did not arrive/);
  expect(said(1, 3)).toMatch(/^Of 3 jobs .* one probably arrived/);
  for (const [risen, unknown] of [
    [2, 1],
    [-1, 1],
    [0, 0],
    [1, 0],
  ] as const)
    expect(said(risen, unknown)).toBeNull();
  for (const risen of [0, 1, 2]) expect(said(risen, 2, true)).toBeNull();
});

function textOf(counters: CounterEvidence | null): string | null {
  if (counters === null) return null;
  return reasonText({ kind: 'unanswered', why: { kind: 'no-answer', said: '', mentionedId: null }, counters });
}
