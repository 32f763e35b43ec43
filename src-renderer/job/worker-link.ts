import type { Attempt, Job } from '../../src-preload/job.ts';
import { podIdProblem } from '../../src-preload/pod-reading.ts';
import { workerText } from '../messages/jobs/row.tsx';
import { openPod } from '../navigation/go.ts';
import type { FactGroup } from './fact-groups.ts';

/** The id of the worker that ran an attempt, which is also the id of its pod. Null if the service named none. Pure. */
export function workerOf(attempt: Pick<Attempt, 'workerId'> | null): string | null {
  const id = attempt?.workerId ?? null;
  return id === null || podIdProblem(id) !== null ? null : id;
}

/** The groups, with an action that opens the worker's pod beside its id. */
export function withWorkerLink(
  groups: readonly FactGroup[],
  { connectionId }: Job,
  attempt: Attempt | null,
): readonly FactGroup[] {
  const id = workerOf(attempt);
  if (id === null) return groups;
  const action = { label: workerText.open, onSelect: () => openPod(connectionId, id) };
  return groups.map((group) => ({
    ...group,
    facts: group.facts.map((fact) => (fact.name === 'workerId' && fact.value === id ? { ...fact, action } : fact)),
  }));
}
