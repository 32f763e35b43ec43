import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { UpdatableField } from '../../src-preload/template.ts';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useNow } from '../data/use-now.ts';
import { templateFieldText } from '../messages/templates/fields.ts';
import { emptinessText, fieldFrameText } from '../messages/templates/form.tsx';
import { emptinessOf } from './edit-rules.ts';
import { undoField, useTemplate } from './template-store.ts';
import { useFieldProblem } from './use-plan.ts';
import styles from './form.module.css';

export interface FieldFrameProps {
  field: UpdatableField;
  isWide?: boolean | undefined;
  /** The former value, if it is short. Otherwise the field only says that it was changed. */
  was?: string | null | undefined;
  /** Drawn beside the label. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A field of the form: its label with the name in the API, its former value, and why it cannot be sent. */
export function FieldFrame({ field, isWide, was, aside, children }: FieldFrameProps) {
  const isEdited = useTemplate(({ edits }) => Object.hasOwn(edits, field));
  const problem = useFieldProblem(field);
  const { label, meaning } = templateFieldText[field];
  return (
    <div
      className={classes(styles.field, isWide === true && styles.wide, isEdited && styles.changed)}
      role="group"
      aria-label={label}
      aria-description={meaning}
      data-field={field}
    >
      <div className={styles.label}>
        <Tooltip text={meaning}>
          <span className={styles.name}>{label}</span>
        </Tooltip>
        <span className={styles.api}>{field}</span>
        <Emptiness field={field} />
        <span className="grow" />
        {aside}
        {isEdited && <Was field={field} was={was} />}
      </div>
      {children}
      {problem !== null && (
        <p className={styles.problem} role="alert" id={`${field}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** The former value of a changed field, with a button to restore it. */
function Was({ field, was }: { field: UpdatableField; was?: string | null | undefined }) {
  return (
    <span className={styles.wasBox}>
      {was !== undefined && was !== null && (
        <span className={classes(styles.was, 'trunc')}>
          {fieldFrameText.was(<b>{was === '' ? fieldFrameText.empty : was}</b>)}
        </span>
      )}
      <IconButton
        label={fieldFrameText.undo(templateFieldText[field].label)}
        size="sm"
        hasSmallGlyph
        className={styles.undo}
        icon={<Undo2 />}
        onClick={() => undoField(field)}
      />
    </span>
  );
}

/** Distinguishes absent, null and empty, and a value from an older reply. */
function Emptiness({ field }: { field: UpdatableField }) {
  const known = useTemplate(({ view }) => view?.known ?? null);
  const nowMs = useNow(60_000);
  if (known === null) return null;
  const isOdd = known.oddFields.includes(field);
  const carriedAtMs = known.carriedAtMs[field];
  const emptiness = emptinessOf(known.template[field]);
  if (isOdd)
    return (
      <Tooltip text={fieldFrameText.oddHint}>
        <span className={styles.odd} tabIndex={0}>
          {fieldFrameText.odd}
        </span>
      </Tooltip>
    );
  if (carriedAtMs !== undefined)
    return (
      <Tooltip text={fieldFrameText.asOfHint}>
        <span className={styles.state} tabIndex={0}>
          {fieldFrameText.asOf(carriedAtMs, nowMs)}
        </span>
      </Tooltip>
    );
  if (emptiness === null) return null;
  return (
    <Tooltip text={emptinessText[emptiness].meaning}>
      <span className={styles.state} tabIndex={0}>
        {emptinessText[emptiness].word}
      </span>
    </Tooltip>
  );
}
