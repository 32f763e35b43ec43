import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { mainWindowText } from '../messages/windows/main-window.ts';
import { openSandbox } from '../navigation/go.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';

/** Jobs of removed connections can be read without a connection. Nothing can be sent. */
export function NoConnection() {
  return (
    <EmptyState
      title={mainWindowText.noConnectionTitle}
      text={mainWindowText.noConnectionHint}
      actions={
        <>
          <Button variant="primary" size="lg" onClick={() => useSettingsDialog.getState().open('connections', null)}>
            {mainWindowText.addConnection}
          </Button>
          <Button size="lg" onClick={() => void openSandbox()}>
            {mainWindowText.openSandbox}
          </Button>
        </>
      }
    />
  );
}
