import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { formatCountOf } from '../design/format.ts';
import { TextField } from '../design/text-field.tsx';
import { TagsDialog } from '../job/tags-dialog.tsx';
import { useShell } from '../navigation/shell-store.ts';
import { cancelMany, jobsOf, tagMany } from './row-actions.ts';

/** The two questions about several jobs: cancel them, and which tag. */
export function BulkDialogs() {
  return (
    <>
      <CancelDialog />
      <TagDialog />
    </>
  );
}

function CancelDialog() {
  const keys = useShell((state) => state.cancelAsked);
  const close = (): void => useShell.getState().set({ cancelAsked: null });
  const count = keys?.length ?? 0;
  return (
    <Dialog
      title={`Cancel ${formatCountOf(count, 'job')}`}
      isOpen={keys !== null}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Keep them</Button>
          <Button
            variant="danger-solid"
            autoFocus
            onClick={() => {
              void cancelMany(jobsOf(keys ?? []));
              close();
            }}
          >{`Cancel ${formatCountOf(count, 'job')}`}</Button>
        </>
      }
    >
      Queued jobs leave the queue. What running jobs have streamed so far stays saved here.
    </Dialog>
  );
}

function TagDialog() {
  const keys = useShell((state) => state.tagAsked);
  const close = (): void => useShell.getState().set({ tagAsked: null });
  const [only] = jobsOf(keys ?? []);
  if (keys === null || only === undefined) return null;
  return keys.length === 1 ? <TagsDialog job={only} isOpen onClose={close} /> : <TagForm keys={keys} onClose={close} />;
}

function TagForm({ keys, onClose }: { keys: readonly string[]; onClose: () => void }) {
  const [tag, setTag] = useState('');
  const jobs = jobsOf(keys);
  const trimmed = tag.trim();
  const known = [...new Set(jobs.flatMap((job) => job.tags))];
  const isRemoving = trimmed !== '' && jobs.length > 0 && jobs.every((job) => job.tags.includes(trimmed));
  const apply = (): void => {
    if (trimmed === '') return;
    void tagMany(jobs, trimmed);
    onClose();
  };
  return (
    <Dialog
      title={`Tag ${formatCountOf(jobs.length, 'job')}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button variant="primary" disabledReason={trimmed === '' ? 'Type a tag' : undefined} onClick={apply}>
            {isRemoving ? 'Remove tag' : 'Add tag'}
          </Button>
        </>
      }
    >
      <TextField
        label="Tag"
        value={tag}
        autoFocus
        maxLength={40}
        hint={
          known.length > 0 ? `On these jobs now: ${known.join(', ')}` : 'Find tagged jobs again with tag: in the filter'
        }
        onChange={setTag}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply();
        }}
      />
    </Dialog>
  );
}
