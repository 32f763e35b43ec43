import { useState } from 'react';
import {
  canHit,
  faultKindNames,
  faultOperations,
  isAnswering,
  type SandboxFaultOperation,
} from '../../src-preload/sandbox-bounds.ts';
import type { SandboxFault } from '../../src-preload/sandbox.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Select, type SelectProps } from '../design/form/select.tsx';
import { Switch } from '../design/form/choice.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { oneAtATime } from '../design/form/one-at-a-time.ts';
import { UnsavedNotice } from '../design/form/form-parts.tsx';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { commonText } from '../messages/common.ts';
import { faultFormText, faultKindText } from '../messages/sandbox/faults.ts';
import { blankFault, hasStatus, readFault, withKind, type FaultFields, type FaultNumber } from './fault-form.ts';
import styles from './faults-card.module.css';

const kinds = faultKindNames.map((value) => ({ value, label: faultKindText[value].name }));

interface FaultFormProps {
  endpoints: readonly string[];
  onAdd: (fault: SandboxFault) => Promise<boolean>;
  onClose: () => void;
}

const unsaved = unsavedForms<FaultFields>({ kind: 'fault', isForm: isLike(blankFault) });
const newFault = 'new';

/**
 * The form for a new fault. It stays open while something is invalid, and closes when the fault is added. Escape closes
 * it and keeps what is in it.
 */
export function FaultForm({ endpoints, onAdd, onClose }: FaultFormProps) {
  const { fields, change: setFields, isBack } = unsaved.useForm(newFault, blankFault);
  const [problems, setProblems] = useState<Partial<Record<FaultNumber, string>>>({});
  const change = (patch: Partial<FaultFields>): void => setFields({ ...fields, ...patch });
  const [once] = useState(oneAtATime);
  const end = (): void => {
    unsaved.end(newFault);
    onClose();
  };
  const add = async (): Promise<void> => {
    const read = readFault(fields, crypto.randomUUID());
    if ('problems' in read) setProblems(read.problems);
    else if (await onAdd(read.fault)) end();
  };
  const number = (name: FaultNumber, label: string, placeholder: string, trailing: string) => (
    <TextField
      size="sm"
      label={label}
      value={fields[name]}
      inputMode="decimal"
      placeholder={placeholder}
      problem={problems[name]}
      trailing={<span className="t3">{trailing}</span>}
      onChange={(text) => {
        change({ [name]: text });
        setProblems(({ [name]: _gone, ...rest }) => rest);
      }}
    />
  );
  return (
    <form
      className={styles.form}
      aria-label={faultFormText.form}
      onSubmit={(event) => {
        event.preventDefault();
        void once(add);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.wide}>
        <Select
          label={faultFormText.kind}
          size="sm"
          value={fields.kind}
          options={kinds}
          onChange={(kind) => {
            setFields(withKind(fields, kind));
            setProblems({});
          }}
        />
        <p className={styles.about}>{faultKindText[fields.kind].text}</p>
      </div>
      <Choice
        label={faultFormText.operation}
        value={fields.operation}
        options={operationsOf(fields.kind)}
        onChange={(operation) => change({ operation })}
      />
      <Choice
        label={faultFormText.endpoint}
        value={fields.endpointId}
        options={[{ value: '', label: faultFormText.any }, ...endpoints.map((value) => ({ value, label: value }))]}
        onChange={(endpointId) => change({ endpointId })}
      />
      {hasStatus(fields.kind) && number('status', faultFormText.status, '500', '')}
      {number('percent', faultFormText.percent, '100', '%')}
      {number('times', faultFormText.times, faultFormText.noEnd, faultFormText.timesUnit)}
      {number('forS', faultFormText.forS, faultFormText.noEnd, 's')}
      {fields.kind === 'delay'
        ? number('delayMs', faultFormText.howLong, '800', 'ms')
        : number('delayMs', faultFormText.after, '0', 'ms')}
      {isAnswering(fields.kind) && (
        <div className={styles.wide}>
          <Switch
            label={faultFormText.isProcessed}
            hint={faultFormText.isProcessedHint}
            isOn={fields.isProcessed}
            onChange={(isProcessed) => change({ isProcessed })}
          />
        </div>
      )}
      {isBack && <UnsavedNotice className={classes(styles.wide, styles.about)} />}
      <div className={styles.buttons}>
        <Button size="sm" variant="ghost" onClick={end}>
          {commonText.cancel}
        </Button>
        <Button size="sm" type="submit">
          {faultFormText.add}
        </Button>
      </div>
    </form>
  );
}

/** A list with its label beside it. */
function Choice<V extends string>(list: Omit<SelectProps<V>, 'size' | 'disabled'>) {
  return (
    <label className={styles.choice}>
      <span>{list.label}</span>
      <Select size="sm" {...list} />
    </label>
  );
}

/** The operations that a kind of fault can hit, after "any" if there are several. */
function operationsOf(kind: SandboxFault['kind']): { value: SandboxFaultOperation | ''; label: string }[] {
  const possible = faultOperations.filter((operation) => canHit(kind, operation));
  const [only, ...others] = possible;
  if (only !== undefined && others.length === 0) return [{ value: '', label: only }];
  return [{ value: '', label: faultFormText.any }, ...possible.map((value) => ({ value, label: value }))];
}
