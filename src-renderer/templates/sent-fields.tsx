import { Check, Minus, Pin, TriangleAlert } from 'lucide-react';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { classes } from '../design/class-names.ts';
import styles from './review.module.css';

/** Exactly which fields are sent, and why (ruling 22). */
export function SentFields({ plan, isKnown }: { plan: UpdatePlan; isKnown: boolean }) {
  const { changed, pinned, leftOut, defaultsThatMayApply, body } = plan;
  const resettable = new Set(defaultsThatMayApply.map(({ field }) => field));
  const left = leftOut.filter(({ field }) => !resettable.has(field));
  return (
    <section aria-label="What will be sent">
      <h3 className={styles.heading}>What will be sent</h3>
      <div className={styles.sent}>
        <div className={styles.sentRow} role="group" aria-label="Changed">
          <span className={styles.sentName}>
            <Check />
            Changed
          </span>
          <span className={styles.chips}>
            {changed.map((field) => (
              <code key={field}>{field}</code>
            ))}
          </span>
        </div>
        {pinned.length > 0 && (
          <div className={styles.sentRow} role="group" aria-label="Pinned">
            <span className={styles.sentName}>
              <Pin />
              Pinned
            </span>
            <span className={styles.chips}>
              {pinned.map((field) => (
                <code key={field}>
                  {field} {shortValue(body[field])}
                </code>
              ))}
              <em>The service has defaults for these. Sending the current value keeps it.</em>
            </span>
          </div>
        )}
        {resettable.size > 0 && (
          <div className={styles.sentRow} role="group" aria-label="May be reset">
            <span className={classes(styles.sentName, styles.amber)}>
              <TriangleAlert />
              May be reset
            </span>
            <span className={styles.chips}>
              {defaultsThatMayApply.map(({ field, default: value }) => (
                <code key={field}>
                  {field} {shortValue(value)}
                </code>
              ))}
              <em>
                Left out, because {isKnown ? 'their value is' : 'nothing of the template is'} known here. The service
                may set them to these defaults.
              </em>
            </span>
          </div>
        )}
        {left.length > 0 && (
          <div className={styles.sentRow} role="group" aria-label="Left out">
            <span className={classes(styles.sentName, styles.dim)}>
              <Minus />
              Left out
            </span>
            <span className={classes(styles.chips, styles.open)}>
              {left.map(({ field }) => (
                <code key={field}>{field}</code>
              ))}
              <em>
                {isKnown
                  ? 'Not changed, and the service has no defaults for these.'
                  : 'Not edited, and the service has no defaults for these.'}
              </em>
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
