import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { useSettingsDialog } from './settings-dialog-store.ts';
import { connectionText } from '../messages/navigation.tsx';

/** Opens the connection's settings, where its key can be entered. */
export function replaceKey(connection: Connection): void {
  useSettingsDialog.getState().open('connections', connection.id);
}

/** Reads each endpoint's health once with the saved key. If that works, polling continues. */
async function tryConnection(connection: Connection): Promise<void> {
  const result = await call('connection:check', { connectionId: connection.id });
  if (!result.ok) {
    toast(result.failure.message);
    return;
  }
  const problem = result.value.find((check) => check.problem !== null);
  toast(problem === undefined ? connectionText.answers(connection.name) : `${problem.path}: ${problem.problem ?? ''}`);
}

/** Sends the key in the other authorization form from now on, and tests it immediately (ruling 4). */
export async function sendOtherForm(connection: Connection): Promise<void> {
  const { id, name, baseUrl, restUrl, endpoints } = connection;
  const authorization = connection.authorization === 'bearer' ? 'bare' : 'bearer';
  const saved = await call('connection:save', { draft: { id, name, baseUrl, restUrl, endpoints, authorization } });
  if (!saved.ok) toast(saved.failure.message);
  else await tryConnection(saved.value.connection);
}
