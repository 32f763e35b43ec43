import { useState } from 'react';
import { canHit, faultKindNames, faultOperations, isAnswering } from '../../src-preload/sandbox-bounds.ts';
import type { SandboxFault } from '../../src-preload/sandbox.ts';
import type { SandboxFaultOperation } from '../../src-preload/sandbox-bounds.ts';
import { Button } from '../design/button.tsx';
import { Select } from '../design/select.tsx';
import { Switch } from '../design/choice.tsx';
import { TextField } from '../design/text-field.tsx';
import { blankFault, hasStatus, readFault, withKind, type FaultFields, type FaultNumber } from './fault-form.ts';
import { faultText } from './fault-messages.ts';
import styles from './faults-card.module.css';

const kinds = faultKindNames.map((value) => ({ value, label: faultText[value].name }));

interface FaultFormProps {
  endpoints: readonly string[];
  onAdd: (fault: SandboxFault) => Promise<boolean>;
  onClose: () => void;
}

/** The form for a new fault. It stays open while something is invalid, and closes when the fault is added. */
export function FaultForm({ endpoints, onAdd, onClose }: FaultFormProps) {
  const [fields, setFields] = useState<FaultFields>(blankFault);
  const [problems, setProblems] = useState<Partial<Record<FaultNumber, string>>>({});
  const change = (patch: Partial<FaultFields>): void => setFields((before) => ({ ...before, ...patch }));
  const add = async (): Promise<void> => {
    const read = readFault(fields, crypto.randomUUID());
    if ('problems' in read) setProblems(read.problems);
    else if (await onAdd(read.fault)) onClose();
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
  const possible = faultOperations.filter((operation) => canHit(fields.kind, operation));
  const operations: { value: SandboxFaultOperation | ''; label: string }[] = [
    { value: '', label: possible.length === 1 ? (possible[0] ?? '') : 'Any' },
    ...(possible.length === 1 ? [] : possible.map((value) => ({ value, label: value }))),
  ];
  return (
    <form
      className={styles.form}
      aria-label="New fault"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.wide}>
        <Select
          label="Kind"
          size="sm"
          value={fields.kind}
          options={kinds}
          onChange={(kind) => {
            setFields((before) => withKind(before, kind));
            setProblems({});
          }}
        />
        <p className={styles.about}>{faultText[fields.kind].text}</p>
      </div>
      <label className={styles.choice}>
        <span>Operation</span>
        <Select
          label="Operation"
          size="sm"
          value={fields.operation}
          options={operations}
          onChange={(operation) => change({ operation })}
        />
      </label>
      <label className={styles.choice}>
        <span>Endpoint</span>
        <Select
          label="Endpoint"
          size="sm"
          value={fields.endpointId}
          options={[{ value: '', label: 'Any' }, ...endpoints.map((value) => ({ value, label: value }))]}
          onChange={(endpointId) => change({ endpointId })}
        />
      </label>
      {hasStatus(fields.kind) && number('status', 'Status', '500', '')}
      {number('percent', 'How often', '100', '%')}
      {number('times', 'At most', 'No end', 'times')}
      {number('forS', 'For', 'No end', 's')}
      {number('delayMs', fields.kind === 'delay' ? 'How long' : 'After', fields.kind === 'delay' ? '800' : '0', 'ms')}
      {isAnswering(fields.kind) && (
        <div className={styles.wide}>
          <Switch
            label="Processed before the error"
            hint="The job is created, cancelled or read; only the answer is wrong"
            isOn={fields.isProcessed}
            onChange={(isProcessed) => change({ isProcessed })}
          />
        </div>
      )}
      <div className={styles.buttons}>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" type="submit">
          Add
        </Button>
      </div>
    </form>
  );
}
