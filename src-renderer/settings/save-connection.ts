import type { Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { chooseSettings } from '../data/change-settings.ts';
import { connectionFormText } from '../messages/settings/connection.tsx';
import { toConnectionDraft, type ConnectionFields } from './connection-form-state.ts';

/** What keeps a connection from being saved, and the field it concerns. */
export interface FieldProblem {
  message: string;
  field: string | null;
}

export type SaveOutcome = { connection: Connection } | { problems: readonly FieldProblem[] };

/** All required fields that are empty, so that the user sees them at the same time. */
function missingIn({ name, baseUrl }: ConnectionFields): FieldProblem[] {
  return [
    ...(name.trim() === '' ? [{ field: 'name', message: connectionFormText.needsName }] : []),
    ...(baseUrl.trim() === '' ? [{ field: 'baseUrl', message: connectionFormText.needsBaseUrl }] : []),
  ];
}

/** The problems whose fields have not changed since. A changed field is judged again when the form is saved. */
export function problemsAfter(problems: readonly FieldProblem[], fields: ConnectionFields): FieldProblem[] {
  return missingIn(fields).filter(({ message }) => problems.some((problem) => problem.message === message));
}

/**
 * Saves the form and makes the connection the current one. If an address was normalised, a toast says so (ruling 28).
 */
export async function saveConnection(fields: ConnectionFields): Promise<SaveOutcome> {
  const missing = missingIn(fields);
  if (missing.length > 0) return { problems: missing };
  const saved = await call('connection:save', {
    draft: toConnectionDraft(fields),
    ...(fields.key === '' ? {} : { key: fields.key }),
  });
  if (!saved.ok)
    return {
      problems: [
        {
          message: saved.failure.message,
          field: 'field' in saved.failure ? (saved.failure.field?.replace(/^draft\./, '') ?? null) : null,
        },
      ],
    };
  for (const note of saved.value.notes) toast(note);
  await chooseSettings({ currentConnectionId: saved.value.connection.id });
  return { connection: saved.value.connection };
}
