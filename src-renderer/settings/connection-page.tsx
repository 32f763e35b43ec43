import { useState, type ReactElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { fieldsOf, newFields, type ConnectionFields } from './connection-form-state.ts';
import styles from './connection-page.module.css';
import { problemsAfter, saveConnection, type FieldProblem } from './save-connection.ts';
import { useSettingsDialog, type BegunConnection } from '../navigation/settings-store.ts';

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
  const [isRemoving, setRemoving] = useState(false);
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
    toast(`${outcome.connection.name} saved`);
    choose('connections', outcome.connection.id);
  };
  const deleteKey = async (): Promise<void> => {
    if (connection === null) return;
    const deleted = await call('connection:deleteKey', { connectionId: connection.id });
    if (deleted.ok) toast('The key was deleted from the key storage');
    else setProblems([{ message: deleted.failure.message, field: 'key' }]);
  };
  const remove = async (): Promise<void> => {
    if (connection === null) return;
    setRemoving(false);
    const removed = await call('connection:remove', { connectionId: connection.id });
    if (removed.ok) choose('connections', null);
    else setProblems([{ message: removed.failure.message, field: null }]);
  };

  return (
    <>
      <h3 className={styles.title}>{connection === null ? 'Add connection' : connection.name}</h3>
      {connection?.isSandbox === true ? (
        <p className={styles.note}>The built-in sandbox. Jobdeck starts it and sets its address and key.</p>
      ) : null}
      {connection?.state.kind === 'key-refused' ? (
        <p className={styles.refused} role="alert">
          The service refused this key ({connection.state.httpStatus}). Enter another one, or send it in the other form.
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
              <Button variant="danger" onClick={() => setRemoving(true)}>
                Remove connection
              </Button>
              <Button
                variant="ghost"
                disabledReason={connection.hasKey ? undefined : 'No key saved'}
                onClick={() => void deleteKey()}
              >
                Delete key
              </Button>
            </>
          )}
          <span className={styles.grow} />
          <Button variant="primary" size="lg" type="submit">
            {connection === null ? 'Connect' : 'Save connection'}
          </Button>
        </div>
      </form>
      <Dialog
        title={`Remove ${connection?.name ?? ''}`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        actions={
          <>
            <Button autoFocus onClick={() => setRemoving(false)}>
              Cancel
            </Button>
            <Button variant="danger-solid" onClick={() => void remove()}>
              Remove connection
            </Button>
          </>
        }
      >
        Its key will be deleted. Jobs sent with it stay readable and searchable under All connections in the connection
        menu. Jobs still running are orphaned, and tracked again when you add the connection with the same base URL and
        one of its endpoints. Jobs not sent yet will not be sent.
      </Dialog>
    </>
  );
}
