import { fixedFields } from '../../src-preload/template.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { templateFieldText } from '../messages/templates/fields.ts';
import { emptinessText, formText, valueText } from '../messages/templates/form.tsx';
import { emptinessOf } from './edit-rules.ts';
import { useTemplate } from './template-store.ts';
import styles from './form.module.css';

/** What an update cannot change. */
export function FixedFacts() {
  const view = useTemplate((state) => state.view);
  const template = view?.known?.template;
  return (
    <section className={styles.section} aria-label={formText.fixed}>
      <h3>{formText.fixed}</h3>
      <dl className={styles.facts}>
        {fixedFields.map((field) => {
          const { label, meaning, unit } = templateFieldText[field];
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

function FactValue({ value, unit }: { value: string | number | boolean | null | undefined; unit: string | undefined }) {
  const emptiness = emptinessOf(value);
  if (emptiness !== null)
    return (
      <Tooltip text={emptinessText[emptiness].meaning}>
        <span className={styles.state} tabIndex={0}>
          {emptinessText[emptiness].word}
        </span>
      </Tooltip>
    );
  if (typeof value === 'boolean') return value ? valueText.yes : valueText.no;
  return (
    <span className="sel num">
      {typeof value === 'number' ? formatCount(value) : value}
      {unit === undefined ? '' : ` ${unit}`}
    </span>
  );
}
