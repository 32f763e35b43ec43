import { useState, type ReactElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { toast } from '../design/toast.tsx';
import { connectionFormText, connectionPageText } from '../messages/settings/connection.tsx';
import { settingsText } from '../messages/settings/preferences.ts';
import {
  connectionForms,
  formOf,
  isEdited,
  isOnScreen,
  stillUnsaved,
  unchangedFields,
  useConnectionForm,
} from './connection-edits.ts';
import { keepCheckOf } from './connection-check.ts';
import { ConnectionForm, type FirstField } from './connection-form.tsx';
import { fieldsOf, type ConnectionFields } from './connection-form-state.ts';
import { ConnectionQuestion } from './connection-question.tsx';
import { useConnectionSave } from './use-connection-save.ts';
import { useSettingsDialog, type BegunConnection } from '../navigation/settings-dialog-store.ts';
import type { Failure } from '../../src-preload/failure.ts';
import styles from './connection-page.module.css';

/**
 * Removes a connection and what was typed in its form, and turns to the form of a new one. If the user has turned to
 * another page by then, that one stays, and a failure is a toast. Otherwise the failure is returned.
 */
export async function removeConnection(connectionId: string, form: string): Promise<Failure | null> {
  const removed = await call('connection:remove', { connectionId });
  if (removed.ok) {
    connectionForms.end(form);
    if (isOnScreen(form)) useSettingsDialog.getState().choose('connections', null);
    return null;
  }
  if (isOnScreen(form)) return removed.failure;
  toast(removed.failure.message);
  return null;
}

/** What can be deleted, after a question. */
type Deletable = 'key' | 'connection';

interface ConnectionPageProps {
  connection: Connection | null;
  begun: BegunConnection | null;
}

/**
 * One connection: its form, its key, and what can be deleted. Null creates a connection; `begun` is what is known of
 * it.
 */
export function ConnectionPage({ connection, begun }: ConnectionPageProps): ReactElement {
  const form = formOf(connection?.id ?? null, begun);
  const unchanged = unchangedFields(connection, begun);
  const { fields, change: put } = useConnectionForm(form, unchanged);
  const isUnsaved = isEdited(fields, unchanged);
  const { problems, showProblems, changed, isSaving, save } = useConnectionSave();
  const general = problems.find(({ field }) => field === null);
  const [question, setQuestion] = useState<Deletable | null>(null);
  const choose = useSettingsDialog((state) => state.choose);

  const change = (next: ConnectionFields): void => {
    put(next);
    changed(next);
  };
  const discard = (): void => {
    connectionForms.end(form);
    showProblems([]);
  };
  const submit = async (): Promise<void> => {
    const saved = await save(fields);
    if (saved === null) return;
    keepCheckOf(fields, fieldsOf(saved));
    const left = stillUnsaved(connectionForms.typedIn(form), fields, saved);
    connectionForms.end(form);
    if (left !== null) connectionForms.put(formOf(saved.id, null), left);
    toast(connectionPageText.saved(saved.name));
    if (isOnScreen(form)) choose('connections', saved.id);
  };
  const deleteKey = async (): Promise<void> => {
    if (connection === null) return;
    const deleted = await call('connection:deleteKey', { connectionId: connection.id });
    if (deleted.ok) toast(connectionPageText.keyDeleted);
    else showProblems([{ message: deleted.failure.message, field: 'key' }]);
  };
  const remove = async (): Promise<void> => {
    if (connection === null) return;
    const failure = await removeConnection(connection.id, form);
    if (failure !== null) showProblems([{ message: failure.message, field: null }]);
  };

  return (
    <>
      <h3 className={styles.title}>{connection === null ? settingsText.addConnection : connection.name}</h3>
      {connection?.isSandbox === true ? <p className={styles.note}>{connectionPageText.sandbox}</p> : null}
      {connection?.state.kind === 'key-refused' ? (
        <p className={styles.refused} role="alert">
          {connectionPageText.keyRefused(connection.state.httpStatus)}
        </p>
      ) : null}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={styles.fields}>
          <ConnectionForm
            fields={fields}
            onChange={change}
            hasKey={connection?.hasKey ?? false}
            problems={problems}
            focusFirst={fieldToFocus(connection)}
          />
          {general === undefined ? null : (
            <p className={styles.refused} role="alert">
              {general.message}
            </p>
          )}
        </div>
        <FormButtons
          connection={connection}
          isSaving={isSaving}
          onAsk={setQuestion}
          onDiscard={isUnsaved ? discard : null}
        />
      </form>
      <ConnectionQuestion
        name={connection?.name ?? ''}
        question={question}
        onClose={() => setQuestion(null)}
        onConfirm={{ key: () => void deleteKey(), connection: () => void remove() }}
      />
    </>
  );
}

interface FormButtonsProps {
  connection: Connection | null;
  isSaving: boolean;
  /** Asks before something is deleted. */
  onAsk: (what: Deletable) => void;
  /** Null: nothing is unsaved. */
  onDiscard: (() => void) | null;
}

/** The buttons below the form; one of them submits it. */
function FormButtons({ connection, isSaving, onAsk, onDiscard }: FormButtonsProps): ReactElement {
  return (
    <div className={styles.actions}>
      {connection === null || connection.isSandbox ? null : (
        <>
          <Button size="lg" variant="danger" onClick={() => onAsk('connection')}>
            {connectionPageText.remove}
          </Button>
          <Button
            size="lg"
            variant="ghost"
            disabledReason={connection.hasKey ? undefined : connectionPageText.noKey}
            onClick={() => onAsk('key')}
          >
            {connectionPageText.deleteKey}
          </Button>
        </>
      )}
      <span className={styles.grow} />
      {onDiscard === null ? null : (
        <Button size="lg" variant="ghost" onClick={onDiscard}>
          {connectionPageText.discard}
        </Button>
      )}
      <Button
        variant="primary"
        size="lg"
        type="submit"
        disabledReason={isSaving ? connectionFormText.isSaving : undefined}
      >
        {connection === null ? connectionPageText.connect : connectionPageText.save}
      </Button>
    </div>
  );
}

function fieldToFocus(connection: Connection | null): FirstField | null {
  if (connection === null) return 'name';
  return connection.hasKey && connection.state.kind !== 'key-refused' ? null : 'key';
}
