import { expect, it } from 'vitest';
import type { CauseOnWorker, FailureCause } from '../../../../src-preload/failure-cause.ts';
import { groupCauses, rowOf, type GroupedBy } from '../../../../src-renderer/failures/cause-groups.ts';

function aCause(id: number, endpointId: string, jobs: number, message = `cause ${id}`): FailureCause {
  return {
    id,
    endpointId,
    message,
    frame: '',
    kind: 'fail',
    jobs,
    firstAtMs: 1,
    lastAtMs: 2,
    trend: [jobs],
    mute: null,
  };
}

function onWorker(causeId: number, endpointId: string, workerId: string | null, jobs: number): CauseOnWorker {
  return { causeId, endpointId, workerId, jobs, lastAtMs: 9, trend: [jobs] };
}

const causes = [aCause(1, 'llm', 5), aCause(2, 'sdxl', 4), aCause(3, 'llm', 1), aCause(4, 'sdxl', 3)];
const onWorkers = [
  onWorker(1, 'llm', 'w1', 2),
  onWorker(1, 'llm', null, 3),
  onWorker(2, 'sdxl', 'w1', 4),
  onWorker(3, 'llm', 'w1', 1),
  // Muted, so it is not among the causes.
  onWorker(7, 'llm', 'w1', 90),
];

function grouped(by: Partial<GroupedBy>) {
  const groups = groupCauses(causes, {
    grouping: 'cause',
    onWorkers,
    endpointNameOf: (id) => id.toUpperCase(),
    typed: '',
    ...by,
  });
  return groups.map(({ title, jobs, rows }) => [title, jobs, rows.map(({ cause }) => [cause.id, cause.jobs])]);
}

it('causes are one list, the most frequent first', () => {
  expect(grouped({})).toEqual([
    [
      null,
      13,
      [
        [1, 5],
        [2, 4],
        [4, 3],
        [3, 1],
      ],
    ],
  ]);
});

it('by endpoint, the endpoint with the most failed jobs comes first', () => {
  expect(grouped({ grouping: 'endpoint' })).toEqual([
    [
      'SDXL',
      7,
      [
        [2, 4],
        [4, 3],
      ],
    ],
    [
      'LLM',
      6,
      [
        [1, 5],
        [3, 1],
      ],
    ],
  ]);
});

it('by worker, a cause is under each of its workers with their figures; equal names at two endpoints are two', () => {
  const groups = grouped({ grouping: 'worker' });
  expect(groups).toHaveLength(3);
  expect(groups[0]).toEqual(['w1 on SDXL', 4, [[2, 4]]]);
  expect(groups).toContainEqual([
    'w1 on LLM',
    3,
    [
      [1, 2],
      [3, 1],
    ],
  ]);
  expect(groups).toContainEqual(['Worker not reported on LLM', 3, [[1, 3]]]);
  const keys = groupCauses(causes, { grouping: 'worker', onWorkers, endpointNameOf: (id) => id, typed: '' });
  expect(new Set(keys.flatMap(({ rows }) => rows.map(({ key }) => key))).size).toBe(4);
});

it('a filter finds causes by message, endpoint and, if they are shown, workers', () => {
  expect(grouped({ typed: 'cause 3' })).toEqual([[null, 1, [[3, 1]]]]);
  expect(grouped({ typed: 'sdxl', grouping: 'endpoint' })).toEqual([
    [
      'SDXL',
      7,
      [
        [2, 4],
        [4, 3],
      ],
    ],
  ]);
  expect(grouped({ typed: 'w1 sdxl', grouping: 'worker' })).toEqual([['w1 on SDXL', 4, [[2, 4]]]]);
  expect(grouped({ typed: 'w1', grouping: 'cause' })).toEqual([]);
});

it('the row that is shown stays while another one becomes the first, until one is chosen or it is gone', () => {
  const rowsOf = (jobs: readonly [number, number]) =>
    groupCauses([aCause(1, 'llm', jobs[0]), aCause(2, 'sdxl', jobs[1])], {
      grouping: 'cause',
      onWorkers: [],
      endpointNameOf: (id) => id,
      typed: '',
    }).flatMap(({ rows }) => rows);
  const first = rowOf(rowsOf([5, 4]), [null, null]);
  expect(first?.cause.id).toBe(1);
  const later = rowsOf([5, 6]);
  expect(later.map(({ cause }) => cause.id)).toEqual([2, 1]);
  const shownKey = first?.key ?? null;
  expect(rowOf(later, [null, shownKey])?.cause.id).toBe(1);
  expect(rowOf(later, [later[0]?.key ?? null, shownKey])?.cause.id).toBe(2);
  expect(rowOf(later.slice(0, 1), [null, shownKey])?.cause.id).toBe(2);
  expect(rowOf([], [null, shownKey])).toBeNull();
});
