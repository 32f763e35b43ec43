import { useState } from 'react';
import type { Job } from '../../../src-preload/job.ts';
import { changeOwn } from '../../data/own-changes.ts';
import { useKnownTags } from '../../data/known-tags.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FormActions } from '../../design/form/form-parts.tsx';
import { TextField } from '../../design/form/text-field.tsx';
import { completions, readTags, tagsAfter } from '../../data/tags.ts';
import { tagsText } from '../../messages/job/dialogs.ts';
import styles from './tags-dialog.module.css';

interface TagsDialogProps {
  jobs: readonly Job[];
  isOpen: boolean;
  onClose: () => void;
}

/** The tags of a job, or those that several jobs share, separated by commas. */
export function TagsDialog({ jobs, isOpen, onClose }: TagsDialogProps) {
  return (
    <Dialog title={tagsText.title(jobs.length)} isOpen={isOpen} onClose={onClose}>
      <TagsForm jobs={jobs} onClose={onClose} />
    </Dialog>
  );
}

function TagsForm({ jobs, onClose }: Pick<TagsDialogProps, 'jobs' | 'onClose'>) {
  const [shared] = useState(() => sharedTags(jobs));
  const [text, setText] = useState(shared.join(', '));
  const [problem, setProblem] = useState<string | null>(null);
  const known = useKnownTags(true);
  const read = readTags(text);
  const change = (next: string): void => {
    setText(next);
    setProblem(null);
  };
  const save = async (): Promise<void> => {
    if (read.problem !== null) return;
    const failure = await changeOwn(
      jobs.map((job) => ({ job, change: { tags: tagsAfter(job.tags, shared, read.tags) } })),
      tagsText.saved(jobs.length),
    );
    if (failure === null) onClose();
    else setProblem(failure.message);
  };
  const offered = completions(
    text,
    known.map(({ tag }) => tag),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        aria-label={tagsText.tags}
        autoFocus
        value={text}
        placeholder={tagsText.example}
        hint={jobs.length === 1 ? tagsText.hint : tagsText.sharedHint}
        problem={read.problem ?? problem}
        onChange={change}
      />
      {offered.length > 0 && (
        <div className={styles.known} role="group" aria-label={tagsText.known}>
          {offered.map(({ tag, completed }) => (
            <Button key={tag} size="sm" variant="ghost" onClick={() => change(completed)}>
              {tag}
            </Button>
          ))}
        </div>
      )}
      <FormActions submit={tagsText.save} onCancel={onClose} />
    </form>
  );
}

function sharedTags(jobs: readonly Job[]): string[] {
  const [first, ...others] = jobs;
  return first === undefined ? [] : first.tags.filter((tag) => others.every((job) => job.tags.includes(tag)));
}
