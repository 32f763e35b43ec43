import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { chooseSettings } from '../data/session-store.ts';
import { addEndpointIds, toConnectionDraft, type ConnectionFields } from './connection-form-state.ts';

export type SaveOutcome = { connection: Connection } | { problem: { message: string; field: string | null } };

/** Saves the form and makes the connection the current one. What was normalised is said in passing (ruling 28). */
export async function saveConnection(fields: ConnectionFields, leftoverEndpointText = ''): Promise<SaveOutcome> {
  const endpoints = addEndpointIds(fields.endpoints, leftoverEndpointText);
  const saved = await call('connection:save', {
    draft: toConnectionDraft({ ...fields, endpoints }),
    ...(fields.key === '' ? {} : { key: fields.key }),
  });
  if (!saved.ok)
    return {
      problem: {
        message: saved.failure.message,
        field: 'field' in saved.failure ? (saved.failure.field?.replace(/^draft\./, '') ?? null) : null,
      },
    };
  for (const note of saved.value.notes) toast(note);
  await chooseSettings({ currentConnectionId: saved.value.connection.id });
  return { connection: saved.value.connection };
}
