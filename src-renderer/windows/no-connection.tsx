import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { openSandbox } from '../navigation/go.ts';

/** Jobs of removed connections can be read without one; what asks a service cannot. */
export function NoConnection() {
  return (
    <EmptyState
      title="No connection"
      text="Endpoints, pods and templates are read from a service. Saved jobs stay readable without one."
      actions={
        <>
          <Button variant="primary" size="lg" onClick={() => useSettingsDialog.getState().open('connections', null)}>
            Add connection
          </Button>
          <Button size="lg" onClick={() => void openSandbox()}>
            Open the sandbox
          </Button>
        </>
      }
    />
  );
}
