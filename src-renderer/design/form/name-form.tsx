import { useState, type ReactNode } from 'react';
import type { Failure } from '../../../src-preload/failure.ts';
import { FormActions } from './form-parts.tsx';
import { oneAtATime } from './one-at-a-time.ts';
import { TextField } from './text-field.tsx';

/** What the form says of a name. */
export interface NameFacts {
  /** Why it cannot be saved, or null. Shown once the user has tried. */
  problem: string | null;
  /** What its button does with it. */
  submit: string;
  hint?: string;
  /** What else can be chosen for it. */
  choices?: ReactNode;
}

interface NameFormProps {
  /** What the field is called. */
  label: string;
  /** The former name, which is selected. */
  former: string;
  maxChars: number;
  placeholder?: string;
  about: (name: string) => NameFacts;
  /** Saves the name, which has no space around it. Returns why it could not; the form then stays open. */
  onSave: (name: string) => Promise<Failure | null>;
  onClose: () => void;
}

/** Asks for a name, in a dialog. Enter saves it. */
export function NameForm({ label, former, maxChars, placeholder, about, onSave, onClose }: NameFormProps) {
  const [name, setName] = useState(former);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [once] = useState(oneAtATime);
  const { problem, submit, hint, choices } = about(name.trim());
  const save = async (): Promise<void> => {
    setTried(true);
    if (problem !== null) return;
    const failed = await onSave(name.trim());
    setFailure(failed);
    if (failed === null) onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A form behind the dialog is not submitted with it.
        event.stopPropagation();
        void once(save);
      }}
    >
      <TextField
        aria-label={label}
        autoFocus
        value={name}
        maxLength={maxChars}
        placeholder={placeholder}
        hint={hint}
        problem={(isTried ? problem : null) ?? failure?.message ?? null}
        onFocus={(event) => event.target.select()}
        onChange={(text) => {
          setName(text);
          setTried(false);
          setFailure(null);
        }}
      />
      {choices}
      <FormActions submit={submit} onCancel={onClose} />
    </form>
  );
}
