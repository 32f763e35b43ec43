import { useState } from 'react';
import { create } from 'zustand';
import { maxTitleChars } from '../../src-preload/job-bounds.ts';
import type { Job } from '../../src-preload/job.ts';
import { renameJob } from '../data/own-changes.ts';
import { useLeave } from '../data/use-leave.ts';
import { placeInPanel } from '../design/keyboard/keep-focus.ts';
import { renameText } from '../messages/job/dialogs.ts';
import styles from './job-pane.module.css';

/** The job whose title is being edited, or null. */
export const useRenaming = create<{ jobKey: string | null; start: (jobKey: string) => void; end: () => void }>(
  (set) => ({
    jobKey: null,
    start: (jobKey) => set({ jobKey }),
    end: () => set({ jobKey: null }),
  }),
);

/** A job's title. A double click, F2 or the menu edits it: here, or in the title bar of its window. */
export function JobTitle({ job, isEditedHere }: { job: Job; isEditedHere: boolean }) {
  const isRenaming = useRenaming((state) => state.jobKey === job.key);
  if (isRenaming && isEditedHere) return <TitleField job={job} className={styles.rename} />;
  return (
    <h1
      className={styles.title}
      title={job.title}
      dir="auto"
      onDoubleClick={() => useRenaming.getState().start(job.key)}
    >
      {job.title}
    </h1>
  );
}

/** The field that takes the place of a job's title while it is edited. */
export function TitleField({ job, className }: { job: Job; className: string | undefined }) {
  const [text, setText] = useState(job.title);
  // Before the field takes it.
  const [focused] = useState(() => document.activeElement);
  const end = useRenaming((state) => state.end);
  const save = (): void => {
    // After Enter, the field loses the focus as well.
    if (useRenaming.getState().jobKey !== job.key) return;
    end();
    const title = text.replaceAll(/\s+/g, ' ').trim();
    if (title !== '') void renameJob(job, title);
  };
  useLeave(save);
  return (
    <input
      className={className}
      aria-label={renameText.title}
      dir="auto"
      autoFocus
      value={text}
      maxLength={maxTitleChars}
      onChange={(event) => setText(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={save}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        if (event.key === 'Enter') save();
        else end();
        focusAgain(focused);
      }}
    />
  );
}

/** Returns the focus to what had it before, or to the list: a menu is gone by now. */
function focusAgain(focused: Element | null): void {
  const panel = document.querySelector<HTMLElement>('main');
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.body) focused.focus();
  else if (panel !== null) placeInPanel(panel).focus();
}
