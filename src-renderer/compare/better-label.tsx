import { useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { maxLabelChars } from '../../src-preload/judgement.ts';
import { changeOwn } from '../data/own-changes.ts';
import { useLeave } from '../data/use-leave.ts';
import { TextField } from '../design/form/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { betterLabelText } from '../messages/compare/pane.ts';
import styles from './compare.module.css';

/** The jobs of a pair with the higher mark: one, or both if they are equal. None until both have a mark. Pure. */
export function betterOf(first: Job, second: Job): Job[] {
  if (first.mark === undefined || second.mark === undefined) return [];
  if (first.mark === second.mark) return [first, second];
  return first.mark > second.mark ? [first] : [second];
}

/** Why one is better, in a few words: the label of the better job, or of both if they are equal. */
export function BetterLabel({ first, second }: { first: Job; second: Job }) {
  const better = betterOf(first, second);
  const saved = better[0]?.label ?? '';
  // Null: what is saved. What was entered stays here if it could not be saved.
  const [typed, setTyped] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    const label = (typed ?? '').trim();
    if (typed === null || better.length === 0) return;
    const failure = await changeOwn(
      better.map((job) => ({ job, change: { label: label === '' ? null : label } })),
      label === '' ? betterLabelText.removed : betterLabelText.saved,
    );
    if (failure !== null) toast(betterLabelText.couldNotSave(failure.message));
    else setTyped((now) => (now === typed ? null : now));
  };
  useLeave(() => void save());
  return (
    <TextField
      className={styles.betterLabel}
      size="sm"
      aria-label={betterLabelText.field}
      placeholder={better.length === 0 ? betterLabelText.judgeFirst : betterLabelText.why}
      disabled={better.length === 0}
      maxLength={maxLabelChars}
      value={typed ?? saved}
      onChange={setTyped}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        // Leaving the field saves what is in it.
        if (event.key === 'Enter') event.currentTarget.blur();
        else setTyped(null);
      }}
    />
  );
}
