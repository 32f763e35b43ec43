import { Check, Minus, Pin, TriangleAlert } from 'lucide-react';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { classes } from '../design/class-names.ts';
import { sentFieldsText } from '../messages/templates/review.ts';
import styles from './review.module.css';

/** Exactly which fields are sent, and why (ruling 22). */
export function SentFields({ plan, isKnown }: { plan: UpdatePlan; isKnown: boolean }) {
  const { changed, pinned, leftOut, defaultsThatMayApply, body } = plan;
  const resettable = new Set(defaultsThatMayApply.map(({ field }) => field));
  const left = leftOut.filter((field) => !resettable.has(field));
  return (
    <section aria-label={sentFieldsText.title}>
      <h3 className={styles.heading}>{sentFieldsText.title}</h3>
      <div className={styles.sent}>
        <div className={styles.sentRow} role="group" aria-label={sentFieldsText.changed}>
          <span className={styles.sentName}>
            <Check />
            {sentFieldsText.changed}
          </span>
          <span className={styles.chips}>
            {changed.map((field) => (
              <code key={field}>{field}</code>
            ))}
          </span>
        </div>
        {pinned.length > 0 && (
          <div className={styles.sentRow} role="group" aria-label={sentFieldsText.pinned}>
            <span className={styles.sentName}>
              <Pin />
              {sentFieldsText.pinned}
            </span>
            <span className={styles.chips}>
              {pinned.map((field) => (
                <code key={field}>
                  {field} {shortValue(body[field])}
                </code>
              ))}
              <em>{sentFieldsText.pinnedHint}</em>
            </span>
          </div>
        )}
        {resettable.size > 0 && (
          <div className={styles.sentRow} role="group" aria-label={sentFieldsText.mayBeReset}>
            <span className={classes(styles.sentName, styles.amber)}>
              <TriangleAlert />
              {sentFieldsText.mayBeReset}
            </span>
            <span className={styles.chips}>
              {defaultsThatMayApply.map(({ field, default: value }) => (
                <code key={field}>
                  {field} {shortValue(value)}
                </code>
              ))}
              <em>{sentFieldsText.mayBeResetHint(isKnown)}</em>
            </span>
          </div>
        )}
        {left.length > 0 && (
          <div className={styles.sentRow} role="group" aria-label={sentFieldsText.leftOut}>
            <span className={classes(styles.sentName, styles.dim)}>
              <Minus />
              {sentFieldsText.leftOut}
            </span>
            <span className={classes(styles.chips, styles.open)}>
              {left.map((field) => (
                <code key={field}>{field}</code>
              ))}
              <em>{sentFieldsText.leftOutHint(isKnown)}</em>
            </span>
          </div>
        )}
      </div>
    </section>
  );
}

/** A value in a chip: short, on one line. */
function shortValue(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value.replaceAll('\n', ' ') : JSON.stringify(value);
  if (text === '') return '""';
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
