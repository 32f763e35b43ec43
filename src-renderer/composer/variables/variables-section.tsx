import { useId, type ReactElement } from 'react';
import { FileButton } from '../../design/form/file-button.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { TextField } from '../../design/form/text-field.tsx';
import { variablesText } from '../../messages/composer/variables.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { takeValues } from './take-values.ts';
import { ValueList } from './value-list.tsx';
import type { UsedVariable } from './variable-plan.ts';
import type { Variable, VariableKind } from './variable.ts';
import type { VariableWarning } from './variable-warnings.ts';
import options from '../options.module.css';
import styles from './variables.module.css';

interface VariablesSectionProps {
  variables: Variable[];
  used: UsedVariable[];
  warnings: VariableWarning[];
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** The values of each placeholder in the input. Hidden while the input has none. */
export function VariablesSection({ variables, used, warnings, onChange }: VariablesSectionProps): ReactElement | null {
  if (used.length === 0) return null;
  const put = (changed: Variable): void => {
    const others = variables.filter(({ name }) => name !== changed.name);
    onChange({ variables: [...others, changed] });
  };
  return (
    <section className={options.section} aria-label={variablesText.title}>
      <div className={options.sectionHead}>
        <h3>{variablesText.title}</h3>
        <ValuesFile used={used} />
      </div>
      <div className={styles.rows}>
        {used.map((each) => (
          <VariableRow
            key={each.variable.name}
            used={each}
            warning={warnings.find(({ name }) => name === each.variable.name)?.message ?? null}
            onChange={put}
          />
        ))}
      </div>
    </section>
  );
}

function ValuesFile({ used }: { used: readonly UsedVariable[] }): ReactElement {
  return (
    <FileButton
      label={variablesText.fileLabel}
      accept=".csv,.tsv,.txt"
      hint={variablesText.fileHint}
      onFiles={([file]) => void takeValues(file, used)}
    >
      {variablesText.fromFile}
    </FileButton>
  );
}

const kinds: readonly { value: VariableKind; label: string }[] = [
  { value: 'one', label: variablesText.kinds.one },
  { value: 'list', label: variablesText.kinds.list },
  { value: 'range', label: variablesText.kinds.range },
];

interface VariableRowProps {
  used: UsedVariable;
  warning: string | null;
  onChange: (changed: Variable) => void;
}

function VariableRow({ used, warning, onChange }: VariableRowProps): ReactElement {
  const { variable, problem, values, isNeeded } = used;
  const { name, kind } = variable;
  const hintId = useId();
  const change = (patch: Partial<Variable>): void => onChange({ ...variable, ...patch });
  const hint = problem ?? (values.length === 0 && isNeeded ? variablesText.needsValue : warning);
  return (
    <div role="group" aria-label={name} aria-describedby={hint === null ? undefined : hintId}>
      <div className={styles.head}>
        <code className={styles.name}>{`{{${name}}}`}</code>
        <Segmented
          size="sm"
          label={variablesText.kindOf(name)}
          value={kind}
          options={kinds}
          onChange={(next) => change({ kind: next, ...carried(variable, next) })}
        />
      </div>
      {kind === 'one' && (
        <TextField
          size="sm"
          aria-label={variablesText.valueOf(name)}
          value={variable.one}
          placeholder={variablesText.value}
          onChange={(one) => change({ one })}
        />
      )}
      {kind === 'list' && <ValueList name={name} values={variable.list} onChange={(list) => change({ list })} />}
      {kind === 'range' && <RangeFields variable={variable} onChange={change} />}
      {hint !== null && (
        <p
          id={hintId}
          className={problem !== null ? styles.problem : warning === null ? options.hint : styles.warning}
          role="status"
        >
          {hint}
        </p>
      )}
    </div>
  );
}

function RangeFields(props: { variable: Variable; onChange: (patch: Partial<Variable>) => void }): ReactElement {
  const { name } = props.variable;
  const fields = ['from', 'to', 'step'] as const;
  return (
    <div className={styles.range}>
      {fields.map((field) => (
        <TextField
          key={field}
          size="sm"
          inputMode="decimal"
          aria-label={`${name} ${variablesText.range[field]}`}
          value={props.variable[field]}
          placeholder={field === 'step' ? '1' : ''}
          trailing={<span className={styles.unit}>{variablesText.range[field]}</span>}
          onChange={(text) => props.onChange({ [field]: text })}
        />
      ))}
    </div>
  );
}

/** The values of one kind are carried over to another kind that is still empty. */
function carried(variable: Variable, to: VariableKind): Partial<Variable> {
  const { one, list, from } = variable;
  const first = variable.kind === 'list' ? (list[0] ?? '') : variable.kind === 'range' ? from : one;
  if (first.trim() === '') return {};
  if (to === 'list' && list.length === 0) return { list: [first] };
  if (to === 'range' && from === '' && /^[+-]?\d/.test(first)) return { from: first };
  return to === 'one' && one === '' ? { one: first } : {};
}
