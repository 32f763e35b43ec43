import { useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { oneAtATime } from '../data/one-at-a-time.ts';
import { useSession } from '../data/session-store.ts';
import { Dialog } from '../design/dialog.tsx';
import { FormActions } from '../design/form-actions.tsx';
import { TextField } from '../design/text-field.tsx';
import { renameView, saveView, useViewNameDialog } from '../navigation/saved-views.ts';
import { viewNameText } from '../messages/jobs/dialogs.ts';

const maxChars = 80;

/** Asks for the name of a view, for the current list or for a saved view. */
export function ViewNameDialog() {
  const subject = useViewNameDialog((state) => state.subject);
  const close = (): void => useViewNameDialog.getState().setSubject(null);
  return (
    <Dialog
      title={subject?.kind === 'rename' ? viewNameText.rename : viewNameText.save}
      isOpen={subject !== null}
      onClose={close}
    >
      {subject !== null && (
        <NameForm
          former={subject.kind === 'rename' ? subject.view.name : ''}
          onClose={close}
          onName={(name) => (subject.kind === 'rename' ? renameView(subject.view.id, name) : saveView(name))}
        />
      )}
    </Dialog>
  );
}

interface NameFormProps {
  former: string;
  onClose: () => void;
  onName: (name: string) => Promise<Failure | null>;
}

function NameForm({ former, onClose, onName }: NameFormProps) {
  const views = useSession((state) => state.settings.savedViews);
  const [name, setName] = useState(former);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [once] = useState(oneAtATime);
  const problem = problemOf(name, former, views);
  const save = async (): Promise<void> => {
    setTried(true);
    if (problem !== null) return;
    const failed = await onName(name.trim());
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
        aria-label={viewNameText.name}
        autoFocus
        value={name}
        placeholder={viewNameText.example}
        hint={viewNameText.hint}
        problem={(isTried ? problem : null) ?? failure?.message ?? null}
        onChange={(text) => {
          setName(text);
          setFailure(null);
        }}
      />
      <FormActions submit={viewNameText.save} onCancel={onClose} />
    </form>
  );
}

function problemOf(name: string, former: string, views: readonly { name: string }[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return viewNameText.empty;
  if (wanted.length > maxChars) return viewNameText.tooLong(maxChars);
  return wanted !== former && views.some((view) => view.name === wanted) ? viewNameText.taken : null;
}
