import { maxBatchNameChars } from '../../src-preload/batch.ts';
import { Dialog } from '../design/dialog.tsx';
import { NameForm } from '../design/form/name-form.tsx';
import { renameBatchText } from '../messages/batches.ts';
import { renameBatch, useRenameBatch } from './batch-dialog-requests.ts';

/** Asks for another name of a batch. */
export function RenameBatchDialog() {
  const { batch, close } = useRenameBatch();
  return (
    <Dialog title={renameBatchText.title} isOpen={batch !== null} onClose={close}>
      {batch !== null && (
        <NameForm
          label={renameBatchText.name}
          former={batch.name}
          maxChars={maxBatchNameChars}
          about={(name) => ({ problem: name === '' ? renameBatchText.empty : null, submit: renameBatchText.save })}
          onSave={(name) => renameBatch(batch, name)}
          onClose={close}
        />
      )}
    </Dialog>
  );
}
