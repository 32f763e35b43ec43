import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { connectionForms, isOnScreen } from './connection-edits.ts';

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
