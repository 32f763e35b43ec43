import { useState } from 'react';
import { maxBatchNameChars, type Batch } from '../../src-preload/batch.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { oneAtATime } from '../data/one-at-a-time.ts';
import { Dialog } from '../design/dialog.tsx';
import { FormActions } from '../design/form-actions.tsx';
import { TextField } from '../design/text-field.tsx';
import { renameBatchText } from '../messages/batches.ts';
import { renameBatch, useRenameBatch } from './rename-batch-request.ts';

/** Asks for another name of a batch. */
export function RenameBatchDialog() {
  const { batch, close } = useRenameBatch();
  return (
    <Dialog title={renameBatchText.title} isOpen={batch !== null} onClose={close}>
      {batch !== null && <NameForm batch={batch} onClose={close} />}
    </Dialog>
  );
}

function NameForm({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const [name, setName] = useState(batch.name);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [once] = useState(oneAtATime);
  const isEmpty = name.trim() === '';
  const save = async (): Promise<void> => {
    if (isEmpty) return;
    const failed = await renameBatch(batch, name.trim());
    setFailure(failed);
    if (failed === null) onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void once(save);
      }}
    >
      <TextField
        aria-label={renameBatchText.name}
        autoFocus
        value={name}
        maxLength={maxBatchNameChars}
        onFocus={(event) => event.target.select()}
        problem={isEmpty ? renameBatchText.empty : (failure?.message ?? null)}
        onChange={(text) => {
          setName(text);
          setFailure(null);
        }}
      />
      <FormActions submit={renameBatchText.save} onCancel={onClose} />
    </form>
  );
}
