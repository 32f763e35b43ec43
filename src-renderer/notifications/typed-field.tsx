import { useState } from 'react';
import { useLeave } from '../data/use-leave.ts';
import { TextField } from '../design/text-field.tsx';
import { readMinute } from '../../src-preload/time-of-day.ts';
import { typedProblems } from '../messages/notifications/settings.ts';

type ReadText = { value: number } | { problem: string };

/** A time of day that differs from the other end of its span, both in minutes since midnight. */
export function readTime(text: string, other: number): ReadText {
  const value = readMinute(text);
  if (value === null) return { problem: typedProblems.time };
  return value === other ? { problem: typedProblems.sameTime } : { value };
}

/** A whole number from 1 to `most`. */
export function readWhole(text: string, max: number): ReadText {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= max ? { value } : { problem: typedProblems.whole(max) };
}

interface TypedFieldProps {
  className: string | undefined;
  label: string;
  value: string;
  unit?: string;
  read: (text: string) => ReadText;
  onChange: (value: number) => Promise<{ message: string } | null>;
}

/**
 * A field that takes effect when it loses the focus, is closed, or Enter is pressed. An invalid value stays, with the
 * reason.
 */
export function TypedField({ className, label, value, unit, read, onChange }: TypedFieldProps) {
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
