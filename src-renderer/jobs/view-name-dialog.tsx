import { useSession } from '../data/session-store.ts';
import { Dialog } from '../design/dialog.tsx';
import { NameForm } from '../design/form/name-form.tsx';
import { viewNameText } from '../messages/jobs/dialogs.ts';
import { renameView, saveView, useViewNameDialog } from '../navigation/saved-views.ts';

const maxChars = 80;

/** Asks for the name of a view, for the current list or for a saved view. */
export function ViewNameDialog() {
  const subject = useViewNameDialog((state) => state.subject);
  const views = useSession((state) => state.settings.savedViews);
  const close = (): void => useViewNameDialog.getState().setSubject(null);
  const former = subject?.kind === 'rename' ? subject.view.name : '';
  const problemOf = (name: string): string | null => {
    if (name === '') return viewNameText.empty;
    return name !== former && views.some((view) => view.name === name) ? viewNameText.taken : null;
  };
  return (
    <Dialog
      title={subject?.kind === 'rename' ? viewNameText.rename : viewNameText.save}
      isOpen={subject !== null}
      onClose={close}
    >
      {subject !== null && (
        <NameForm
          label={viewNameText.name}
          former={former}
          maxChars={maxChars}
          placeholder={viewNameText.example}
          about={(name) => ({ problem: problemOf(name), submit: viewNameText.save, hint: viewNameText.hint })}
          onSave={(name) => (subject.kind === 'rename' ? renameView(subject.view.id, name) : saveView(name))}
          onClose={close}
        />
      )}
    </Dialog>
  );
}
