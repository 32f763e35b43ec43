import { useState, type ReactElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { toast } from '../design/toast.tsx';
import { connectionPageText } from '../messages/settings/connection.tsx';
import { settingsText } from '../messages/settings/preferences.ts';
import { ConnectionForm } from './connection-form.tsx';
import { fieldsOf, newFields, type ConnectionFields } from './connection-form-state.ts';
import { ConnectionQuestion } from './connection-question.tsx';
import styles from './connection-page.module.css';
import { problemsAfter, saveConnection, type FieldProblem } from './save-connection.ts';
import { useSettingsDialog, type BegunConnection } from '../navigation/settings-dialog-store.ts';

interface ConnectionPageProps {
  connection: Connection | null;
  begun: BegunConnection | null;
}

/**
 * One connection: its form, its key, and what can be deleted. Null creates a connection; `begun` is what is known of
 * it.
 */
export function ConnectionPage({ connection, begun }: ConnectionPageProps): ReactElement {
  const [fields, setFields] = useState(() => (connection === null ? newFields(begun) : fieldsOf(connection)));
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const general = problems.find(({ field }) => field === null);
  const [asked, setAsked] = useState<'key' | 'connection' | null>(null);
  const choose = useSettingsDialog((state) => state.choose);

  const change = (changed: ConnectionFields): void => {
    setFields(changed);
    setProblems(problemsAfter(problems, changed));
  };
  const save = async (): Promise<void> => {
    const outcome = await saveConnection(fields);
    if ('problems' in outcome) {
      setProblems(outcome.problems);
      return;
    }
    setProblems([]);
    setFields(fieldsOf(outcome.connection));
    toast(connectionPageText.saved(outcome.connection.name));
    choose('connections', outcome.connection.id);
  };
  const deleteKey = async (): Promise<void> => {
    if (connection === null) return;
    const deleted = await call('connection:deleteKey', { connectionId: connection.id });
    if (deleted.ok) toast(connectionPageText.keyDeleted);
    else setProblems([{ message: deleted.failure.message, field: 'key' }]);
  };
  const remove = async (): Promise<void> => {
    if (connection === null) return;
    const removed = await call('connection:remove', { connectionId: connection.id });
    if (removed.ok) choose('connections', null);
    else setProblems([{ message: removed.failure.message, field: null }]);
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
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ConnectionForm fields={fields} onChange={change} hasKey={connection?.hasKey ?? false} problems={problems} />
        {general === undefined ? null : (
          <p className={styles.refused} role="alert">
            {general.message}
          </p>
        )}
        <div className={styles.actions}>
          {connection === null || connection.isSandbox ? null : (
            <>
              <Button variant="danger" onClick={() => setAsked('connection')}>
                {connectionPageText.remove}
              </Button>
              <Button
                variant="ghost"
                disabledReason={connection.hasKey ? undefined : connectionPageText.noKey}
                onClick={() => setAsked('key')}
              >
                {connectionPageText.deleteKey}
              </Button>
            </>
          )}
          <span className={styles.grow} />
          <Button variant="primary" size="lg" type="submit">
            {connection === null ? connectionPageText.connect : connectionPageText.save}
          </Button>
        </div>
      </form>
      <ConnectionQuestion
        name={connection?.name ?? ''}
        asked={asked}
        onClose={() => setAsked(null)}
        onConfirm={{ key: () => void deleteKey(), connection: () => void remove() }}
      />
    </>
  );
}
