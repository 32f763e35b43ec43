import { X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useLeave } from '../data/use-leave.ts';
import { classes } from '../design/class-names.ts';
import { pressBeside } from '../design/keyboard/press-beside.ts';
import { templateFieldText } from '../messages/templates/fields.ts';
import { argumentText, valueText } from '../messages/templates/form.tsx';
import { FieldFrame } from './field-frame.tsx';
import { edit, useTemplate } from './template-store.ts';
import { useFieldProblem } from './use-plan.ts';
import styles from './form.module.css';

/**
 * A command as a list of arguments, each a token. Enter adds one; Backspace at the start makes the last one editable
 * again.
 */
export function ArgumentList({ field }: { field: 'dockerEntrypoint' | 'dockerStartCmd' }) {
  const known = useTemplate(({ view }) => view?.known?.template[field]);
  const edited = useTemplate(({ edits }) => edits[field]);
  const problem = useFieldProblem(field);
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = edited ?? known ?? [];
  const isSet = edited !== undefined || (known !== undefined && known !== null);
  const { label } = templateFieldText[field];

  const add = (): void => {
    if (typed === '') return;
    edit(field, [...list, typed]);
    setTyped('');
  };
  useLeave(add);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      add();
    }
    const last = list.at(-1);
    if (event.key === 'Backspace' && typed === '' && last !== undefined) {
      event.preventDefault();
      edit(field, list.slice(0, -1));
      setTyped(last);
    }
  };
  const remove = (index: number): void =>
    edit(
      field,
      list.filter((_, other) => other !== index),
    );
  const change = (index: number): void => {
    setTyped(list[index] ?? '');
    remove(index);
    input.current?.focus();
  };
  return (
    <FieldFrame field={field} was={was(known)}>
      <div
        className={classes(styles.tokens, problem !== null && styles.bad)}
        onMouseDown={(event) => pressBeside(event, input.current)}
      >
        {list.map((argument, index) => (
          <ArgumentToken
            key={index}
            argument={argument}
            onChange={() => change(index)}
            onRemove={() => remove(index)}
          />
        ))}
        <input
          ref={input}
          className={styles.tokenInput}
          aria-label={argumentText.next(label)}
          placeholder={
            list.length > 0 ? '' : isSet ? argumentText.fromImage : known === null ? valueText.none : valueText.notKnown
          }
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKey}
          onBlur={add}
        />
        {list.length === 0 && isSet && <span className={styles.brackets}>[]</span>}
        {(list.length > 0 || !isSet) && (
          <button
            type="button"
            className={styles.clear}
            aria-label={argumentText.imagesOwn(label)}
            title={argumentText.imagesOwnHint}
            onClick={() => edit(field, [])}
          >
            []
          </button>
        )}
      </div>
    </FieldFrame>
  );
}

interface ArgumentTokenProps {
  argument: string;
  /** Makes it editable again. */
  onChange: () => void;
  onRemove: () => void;
}

function ArgumentToken({ argument, onChange, onRemove }: ArgumentTokenProps) {
  return (
    <span className={styles.token}>
      <button
        type="button"
        className={classes(styles.tokenText, 'trunc')}
        aria-label={argumentText.change(argument)}
        onClick={onChange}
      >
        {argument === '' ? '""' : argument}
      </button>
      <button type="button" className={styles.tokenX} aria-label={argumentText.remove(argument)} onClick={onRemove}>
        <X />
      </button>
    </span>
  );
}

function was(known: readonly string[] | null | undefined): string | null {
  if (known === undefined) return valueText.notKnown;
  return known === null ? 'null' : known.length === 0 ? '[]' : known.join(' ');
}
