import { templateFields } from '../../src-preload/template-fields.ts';
import type { Template } from '../../src-preload/template.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { useTemplate } from './template-store.ts';
import { emptinessMeaning, emptinessOf } from './template-messages.ts';
import styles from './form.module.css';

const fixed = [
  'id',
  'category',
  'isServerless',
  'isRunpod',
  'earned',
  'runtimeInMin',
] as const satisfies readonly (keyof Template)[];

/** What an update cannot change. */
export function FixedFacts() {
  const view = useTemplate((state) => state.view);
  const template = view?.known?.template;
  return (
    <section className={styles.section} aria-label="Not changed by an update">
      <h3>Not changed by an update</h3>
      <dl className={styles.facts}>
        {fixed.map((field) => {
          const { label, meaning, unit } = templateFields[field];
          const value = field === 'id' ? view?.templateId : template?.[field];
          return (
            <div key={field}>
              <dt>
                {label} <span className={styles.api}>{field}</span>
              </dt>
              <dd>
                <FactValue value={value} unit={unit} />
              </dd>
              <dd className={styles.meaning}>{meaning}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function FactValue({ value, unit }: { value: string | number | boolean | null | undefined; unit: string | null }) {
  const emptiness = emptinessOf(value);
  if (emptiness !== null)
    return (
      <Tooltip text={emptinessMeaning[emptiness]}>
        <span className={styles.state} tabIndex={0}>
          {emptiness}
        </span>
      </Tooltip>
    );
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (
    <span className="sel num">
      {typeof value === 'number' ? formatCount(value) : value}
      {unit === null ? '' : ` ${unit}`}
    </span>
  );
}
