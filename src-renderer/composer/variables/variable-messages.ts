import { formatCount, formatCountOf, formatDuration, formatMinute, spanText } from '../../../src-preload/format.ts';
import { formatCredits } from '../../costs/cost-messages.ts';
import type { GridEstimate } from './grid-estimate.ts';
import type { UsedVariable, VariablePlan } from './variable-plan.ts';

/** The name of a batch made from variables: `seed by steps, 14:32`. */
export function gridName({ used }: Pick<VariablePlan, 'used'>, nowMs: number): string {
  const names = used.filter(({ values }) => values.length > 1).map(({ variable }) => variable.name);
  return `${names.join(' by ').slice(0, 100)}, ${formatMinute(nowMs)}`;
}

/** The message if the engine refused some inputs of a grid. */
export function refusedRowsText(count: number, row: number, message: string): string {
  return `Nothing was sent. ${formatCountOf(count, 'input')} would be rejected; job ${formatCount(row)}: ${message}`;
}

/** `6 values of seed by 4 of steps`. Empty if nothing varies. */
export function gridText(varied: readonly UsedVariable[]): string {
  return varied
    .map(({ variable, values }, at) => `${formatCount(values.length)} ${at === 0 ? 'values ' : ''}of ${variable.name}`)
    .join(' by ');
}

/** `24 jobs, about 0.84 credits, 3 min`, as far as known. */
export function estimateText(jobs: number, { credits, ms }: GridEstimate): string {
  return [
    formatCountOf(jobs, 'job'),
    ...(credits === null ? [] : [`about ${formatCredits(credits)} credits`]),
    ...(ms === null ? [] : [`${credits === null ? 'about ' : ''}${spanText(ms)}`]),
  ].join(', ');
}

/** What an estimate is based on, or why there is none. */
export function basisText({ basis, credits }: GridEstimate): string {
  if (basis === null) return 'No job of this endpoint has finished yet, so time and cost are unknown.';
  const from = `From ${formatCountOf(basis.jobs, 'finished job')} at p50 ${formatDuration(basis.p50Ms)}.`;
  return credits === null ? `${from} Set a rate on the endpoint’s page to see the cost.` : from;
}

/** `with 3 workers`. */
export function workersText(workers: number): string {
  return `about, with ${formatCountOf(workers, 'worker')}`;
}

/** The name of a cell: `seed 904, steps 28`. */
export function cellText(parts: readonly { name: string; shown: string }[]): string {
  return parts.map(({ name, shown }) => `${name} ${shown}`).join(', ');
}
