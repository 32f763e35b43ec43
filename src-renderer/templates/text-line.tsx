import type { ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import { TextField } from '../design/form/text-field.tsx';
import { templateFieldText } from '../messages/templates/fields.ts';
import { valueText } from '../messages/templates/form.tsx';
import { FieldFrame } from './field-frame.tsx';
import { edit, useTemplate } from './template-store.ts';
import { useFieldProblem } from './use-plan.ts';
import styles from './form.module.css';

type LineField =
  | 'name'
  | 'imageName'
  | 'containerRegistryAuthId'
  | 'volumeMountPath'
  | 'containerDiskInGb'
  | 'volumeInGb';

export interface TextLineProps {
  field: LineField;
  isWide?: boolean | undefined;
  isMono?: boolean | undefined;
  /** Drawn after the value, such as a unit. */
  unit?: ReactNode;
}

/** A field with one line. */
export function TextLine({ field, isWide, isMono, unit }: TextLineProps) {
  const known = useTemplate(({ view }) => view?.known?.template[field]);
  const edited = useTemplate(({ edits }) => edits[field]);
  const isKnown = useTemplate(({ view }) => view !== null && view.known !== null);
  const problem = useFieldProblem(field);
  const was =
    known === undefined || known === null
      ? isKnown
        ? known === null
          ? 'null'
          : valueText.notKnown
        : null
      : String(known);
  return (
    <FieldFrame field={field} isWide={isWide} was={was}>
      <TextField
        size="sm"
        aria-label={templateFieldText[field].label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : `${field}-problem`}
        className={classes(styles.said, problem !== null && styles.badBox)}
        isMono={isMono}
        value={edited ?? (known === undefined || known === null ? '' : String(known))}
        placeholder={known === null ? valueText.none : known === undefined ? valueText.notKnown : ''}
        inputMode={unit === undefined ? undefined : 'numeric'}
        trailing={unit === undefined ? undefined : <span className={styles.unit}>{unit}</span>}
        onChange={(text) => edit(field, text)}
      />
    </FieldFrame>
  );
}
