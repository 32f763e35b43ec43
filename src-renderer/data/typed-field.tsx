import { useState } from 'react';
import { TextField } from '../design/form/text-field.tsx';
import { useLeave } from './use-leave.ts';

/** What a typed text means, or why it means nothing. */
export type TypedValue<T> = { value: T } | { problem: string };

interface TypedFieldProps<T> {
  className: string | undefined;
  label: string;
  /** The saved value, as it is written. */
  value: string;
  unit?: string;
  read: (text: string) => TypedValue<T>;
  /** Saves the value. Returns why it could not be saved, or null. */
  onChange: (value: T) => Promise<{ message: string } | null>;
}

/**
 * A field that takes effect when it loses the focus, is closed, or Enter is pressed. A value that is invalid or could
 * not be saved stays, with the reason.
 */
export function TypedField<T>({ className, label, value, unit, read, onChange }: TypedFieldProps<T>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (): Promise<void> => {
    if (typed === null) return;
    const found = read(typed);
    if ('problem' in found) {
      setProblem(found.problem);
      return;
    }
    const failure = await onChange(found.value);
    setProblem(failure?.message ?? null);
    // What was typed meanwhile stays.
    if (failure === null) setTyped((now) => (now === typed ? null : now));
  };
  useLeave(() => void take());
  return (
    <TextField
      className={className}
      size="sm"
      aria-label={label}
      value={typed ?? value}
      problem={problem}
      trailing={unit === undefined ? undefined : <span className="t3 small">{unit}</span>}
      onChange={(text) => {
        setTyped(text);
        setProblem(null);
      }}
      onBlur={() => void take()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void take();
      }}
    />
  );
}
