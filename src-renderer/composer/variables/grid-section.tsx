import type { ReactElement } from 'react';
import { classes } from '../../design/class-names.ts';
import { formatCount, formatCredits, spanText } from '../../../src-preload/format.ts';
import { basisText, gridText } from '../../messages/composer/variables.ts';
import { BatchLimitFields, limitsOf } from '../batch-limit-fields.tsx';
import type { ComposerDraft } from '../composer-draft.ts';
import type { GridEstimate } from './grid-estimate.ts';
import { useJobsEstimate } from './use-jobs-estimate.ts';
import { choiceAt, indexOf, type VariablePlan } from './variable-plan.ts';
import options from '../options.module.css';
import styles from './variables.module.css';

/** How much of a grid is drawn. The rest is only counted. */
const maxColumns = 8;
const maxRows = 8;

/** The probable cost and duration of a draft's jobs, from the endpoint's earlier jobs. */
export function useGridEstimate(draft: ComposerDraft, jobs: number): GridEstimate {
  const { connectionId, endpointId, operation } = draft;
  return useJobsEstimate({ connectionId, endpointId, operation, maxLive: limitsOf(draft).maxLive ?? null }, jobs);
}

interface GridSectionProps {
  draft: ComposerDraft;
  plan: VariablePlan;
  /** Which input is previewed, from 0. */
  index: number;
  onIndex: (index: number) => void;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** The inputs that the variables make, as a grid of the first two that vary, with their probable cost and duration. */
export function GridSection({ draft, plan, index, onIndex, onChange }: GridSectionProps): ReactElement | null {
  const estimate = useGridEstimate(draft, plan.jobs);
  if (plan.jobs < 2 || plan.problem !== null) return null;
  const varied = plan.used
    .filter(({ values }) => values.length > 1)
    .map(({ variable, values }) => ({ name: variable.name, values: values.length }));
  return (
    <section className={options.section} aria-label={gridText.title}>
      <div className={options.sectionHead}>
        <h3>{gridText.title}</h3>
        <span className={options.unit}>{gridText.varied(varied)}</span>
      </div>
      <Cells plan={plan} index={index} onIndex={onIndex} />
      <dl className={styles.figures}>
        <Figure value={formatCount(plan.jobs)} label={gridText.jobs} />
        {estimate.credits !== null && (
          <Figure value={gridText.about(formatCredits(estimate.credits))} label={gridText.credits} />
        )}
        {estimate.ms !== null && (
          <Figure value={gridText.about(spanText(estimate.ms))} label={gridText.workers(estimate.workers)} />
        )}
      </dl>
      <p className={options.hint}>
        {basisText(estimate)} {gridText.oneBatch}
      </p>
      <BatchLimitFields draft={draft} onChange={onChange} />
    </section>
  );
}

function Figure({ value, label }: { value: string; label: string }): ReactElement {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Cells({ plan, index, onIndex }: Omit<GridSectionProps, 'draft' | 'onChange'>): ReactElement {
  const varied = plan.used.flatMap(({ values }, at) => (values.length > 1 ? [at] : []));
  const [across, down] = varied;
  const choice = choiceAt(plan.used, index);
  const columns = valuesFrom(plan, across, choice, maxColumns);
  const rows = down === undefined ? [null] : valuesFrom(plan, down, choice, maxRows);
  const isCut = [across, down].some((at, axis) => countOf(plan, at) > (axis === 0 ? maxColumns : maxRows));
  return (
    <>
      {/* The keyboard moves between inputs with the arrows of the preview. */}
      <div
        className={styles.grid}
        role="group"
        aria-label={gridText.inputs}
        style={{ gridTemplateColumns: `minmax(34px, max-content) repeat(${columns.length}, minmax(0, 1fr))` }}
      >
        <span />
        {columns.map(({ at, shown }) => (
          <span key={at} className={classes(styles.column, 'trunc')}>
            {shown}
          </span>
        ))}
        {rows.map((row) => [
          <span key={`${row?.at ?? 0} name`} className={classes(styles.row, 'trunc')}>
            {row?.shown ?? ''}
          </span>,
          ...columns.map((column) => {
            const there = choice.map((chosen, at) =>
              at === across ? column.at : at === down ? (row?.at ?? 0) : chosen,
            );
            const target = indexOf(plan.used, there);
            return (
              <button
                key={`${row?.at ?? 0} ${column.at}`}
                type="button"
                tabIndex={-1}
                className={styles.cell}
                aria-label={gridText.cell([column, ...(row === null ? [] : [row])])}
                aria-pressed={target === index}
                onClick={() => onIndex(target)}
              />
            );
          }),
        ])}
      </div>
      {isCut && <p className={options.hint}>{gridText.isCut}</p>}
    </>
  );
}

function countOf(plan: VariablePlan, at: number | undefined): number {
  return at === undefined ? 0 : (plan.used[at]?.values.length ?? 0);
}

/** The drawn values of a variable, which include the chosen one. */
function valuesFrom(
  plan: VariablePlan,
  at: number | undefined,
  choice: readonly number[],
  max: number,
): { at: number; name: string; shown: string }[] {
  const used = at === undefined ? undefined : plan.used[at];
  if (used === undefined || at === undefined) return [];
  const first = Math.max(0, Math.min((choice[at] ?? 0) - max + 1, used.values.length - max));
  return used.values
    .slice(first, first + max)
    .map(({ shown }, index) => ({ at: first + index, name: used.variable.name, shown }));
}
