import { useMemo } from 'react';
import { planUpdate, type UpdatePlan } from '../../src-preload/template-plan.ts';
import type { UpdatableField } from '../../src-preload/template.ts';
import { fieldFrameText } from '../messages/templates/form.tsx';
import { fieldNamedIn } from './edit-rules.ts';
import { useTemplate } from './template-store.ts';

/** What an update would send now. */
export function usePlan(): UpdatePlan {
  const view = useTemplate((state) => state.view);
  const edits = useTemplate((state) => state.edits);
  return useMemo(
    () =>
      planUpdate(
        view === null || view.known === null ? null : { template: view.known.template, isEnvLost: view.isEnvLost },
        edits,
      ),
    [view, edits],
  );
}

/** The first problem of a field as a whole, found here or reported by the service for the last update. */
export function useFieldProblem(field: UpdatableField): string | null {
  const plan = usePlan();
  const problem = useServiceProblem();
  const own = plan.problems.find((problem) => problem.field === field && problem.index === null);
  if (own !== undefined) return `${own.message}.`;
  return problem?.field === field ? problem.message : null;
}

/** The problem of one line of a list. */
export function useLineProblem(field: UpdatableField, index: number, part?: 'name' | 'value'): string | null {
  const plan = usePlan();
  const found = plan.problems.find(
    (problem) => problem.field === field && problem.index === index && problem.part === part,
  );
  return found === undefined ? null : `${found.message}.`;
}

/** The service's refusal of the last update, if it names a field that is unchanged since. */
export function useServiceProblem(): { field: UpdatableField; message: string } | null {
  const outcome = useTemplate(({ view }) => view?.lastUpdate?.outcome ?? null);
  const edits = useTemplate((state) => state.edits);
  const sentEdits = useTemplate((state) => state.sentEdits);
  if (sentEdits === null || outcome?.kind !== 'refused' || outcome.failure.serviceSaid === undefined) return null;
  const field = fieldNamedIn(outcome.failure.serviceSaid);
  return field === null || JSON.stringify(edits[field]) !== JSON.stringify(sentEdits[field])
    ? null
    : { field, message: fieldFrameText.serviceSaid(outcome.failure.serviceSaid) };
}
