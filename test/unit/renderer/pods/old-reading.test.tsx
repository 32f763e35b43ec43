import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { readPod } from '../../../../src-main/service/resource-shapes.ts';
import { CostBlock } from '../../../../src-renderer/pods/cost-block.tsx';
import { readPodReply } from '../../../../src-renderer/pods/field-state.ts';
import { IdentityPanel } from '../../../../src-renderer/pods/identity-panel.tsx';
import { PodContext } from '../../../../src-renderer/pods/pod-context.ts';
import { SavingsSection } from '../../../../src-renderer/pods/savings-section.tsx';
import { pinnedAs } from '../../../../src-renderer/pods/use-pod.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What a part of the window of this pod says, read `agoMs` ago, without tags. */
function said(part: ReactElement, agoMs: number): string {
  const readAtMs = Date.now() - agoMs;
  const at = (ms: number): string => new Date(readAtMs + ms).toISOString();
  const reply = readPod(
    JSON.stringify({
      id: 'p1',
      desiredStatus: 'RUNNING',
      costPerHr: 6,
      adjustedCostPerHr: 5,
      lastStartedAt: at(-10 * hourMs),
      savingsPlans: [{ id: 's1', startTime: at(-3 * dayMs), endTime: at(3 * dayMs), costPerHr: 5 }],
    }),
    'p1',
  );
  if (!reply.ok) throw new Error('The reply could not be read.');
  const pod = {
    connectionId: 'c1',
    podId: 'p1',
    include: [],
    hasValues: false,
    readAtMs,
    ...readPodReply(reply.value),
  };
  return renderToStaticMarkup(createElement(PodContext, { value: pod }, part))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('the credits of a pod end with its reading, and say how old that is', () => {
  expect(said(createElement(CostBlock), 0)).toMatch(/Since last start, 10 h 0 min 50\.0/);
  expect(said(createElement(CostBlock), 5.5 * hourMs)).toMatch(/Since last start, 10 h 0 min, as of 5 h ago 50\.0/);
});

test('the used part of a savings plan ends with the reading, and a plan whose end passed since may have continued', () => {
  expect(said(createElement(SavingsSection), 0)).toMatch(/3 days used, 3 days left Ends /);
  expect(said(createElement(SavingsSection), 1.5 * dayMs)).toMatch(/3 days used, 3 days left, as of 1 d ago Ends /);
  expect(said(createElement(SavingsSection), 4.5 * dayMs)).toMatch(/3 days left, as of 4 d ago Was to end /);
});

test('a pod that was read long ago is not said to run now', () => {
  expect(said(createElement(IdentityPanel), 0)).toMatch(/Running now/);
  expect(said(createElement(IdentityPanel), 5.5 * hourMs)).toMatch(/Running as of 5 h ago/);
});

test('a pod is pinned as the list has it, and not if it is no longer there', () => {
  const known = { connectionId: 'c1', podId: 'p1', isPinned: false, reading: null, changes: null, hasValues: false };
  const listed = {
    connectionId: 'c1',
    podId: 'p1',
    name: null,
    desiredStatus: null,
    hardware: null,
    adjustedCostPerHr: null,
    isPinned: true,
    openedAtMs: 0,
    readAtMs: 0,
  };
  expect(pinnedAs(known, [{ ...listed, podId: 'p0' }, listed])?.isPinned).toBe(true);
  expect(pinnedAs({ ...known, isPinned: true }, [])?.isPinned).toBe(false);
  expect(pinnedAs(known, [])).toBe(known);
  expect(pinnedAs(null, [listed])).toBe(null);
});
