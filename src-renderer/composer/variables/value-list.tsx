import { X } from 'lucide-react';
import { useState, type ClipboardEvent, type KeyboardEvent, type ReactElement } from 'react';
import { useLeave } from '../../data/use-leave.ts';
import { variablesText } from '../../messages/composer/variables.ts';
import { splitValues } from './variable-values.ts';
import styles from './variables.module.css';

/** How many chips are drawn. The others are only counted. */
const maxShown = 40;

interface ValueListProps {
  name: string;
  values: string[];
  onChange: (values: string[]) => void;
}

/** The values of a list as chips. Enter or a comma ends one. In a text of several lines, each line is a value. */
export function ValueList({ name, values, onChange }: ValueListProps): ReactElement {
  const [text, setText] = useState('');
  const add = (typed: string): void => {
    const added = splitValues(typed);
    if (added.length > 0) onChange([...values, ...added]);
    setText('');
  };
  useLeave(() => add(text));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '') {
      onChange(values.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (splitValues(pasted).length < 2) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };
  return (
    <div className={styles.chips}>
      {values.slice(0, maxShown).map((value, at) => (
        <span key={`${at} ${value}`} className={styles.chip}>
          <span className="trunc" dir="auto">
            {value}
          </span>
          <button
            type="button"
            aria-label={variablesText.remove(value)}
            onClick={() => onChange(values.filter((_, index) => index !== at))}
          >
            <X size={12} strokeWidth={1.75} />
          </button>
        </span>
      ))}
      {values.length > maxShown && (
        <span className={styles.chip}>
          <span>{variablesText.more(values.length - maxShown)}</span>
        </span>
      )}
      <input
        className={styles.chipInput}
        aria-label={variablesText.valuesOf(name)}
        value={text}
        placeholder={values.length === 0 ? variablesText.addFirst : variablesText.add}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          const typed = event.target.value;
          // A comma within quotes or brackets is part of the value.
          if (typed.endsWith(',') && isWhole(typed)) add(typed);
          else setText(typed);
        }}
        onBlur={() => add(text)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

/** Whether the comma at the end of `typed` ends a value. */
function isWhole(typed: string): boolean {
  return splitValues(`${typed}0`).length > 1;
}
