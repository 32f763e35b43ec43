import { create } from 'zustand';
import type { Connection } from '../../src-preload/connection.ts';
import type { BegunConnection } from '../navigation/settings-dialog-store.ts';
import { fieldsOf, newFields, type ConnectionFields } from './connection-form-state.ts';

interface ConnectionEdits {
  /** Forms with changes that are not saved yet, by `formOf`. */
  edits: ReadonlyMap<string, ConnectionFields>;
  /** Puts what was typed into a form. Null: the form shows what is saved. */
  put: (form: string, fields: ConnectionFields | null) => void;
  /** Empties the fields of keys: an entered key stays in memory only while its form is open. */
  emptyKeys: () => void;
}

/** What was typed into the forms of connections. It stays while the settings are closed or show another page. */
export const useConnectionEdits = create<ConnectionEdits>((set, get) => ({
  edits: new Map(),
  put: (form, fields) => {
    const edits = new Map(get().edits);
    if (fields === null) edits.delete(form);
    else edits.set(form, fields);
    set({ edits });
  },
  emptyKeys: () => set({ edits: new Map([...get().edits].map(([form, fields]) => [form, { ...fields, key: '' }])) }),
}));

/** The name of a connection's form, or of that of a new one, which starts with what is known of it. Pure. */
export function formOf(connectionId: string | null, begun: BegunConnection | null): string {
  return connectionId ?? ['new', begun?.baseUrl, begun?.endpointId].join(' ');
}

/** What a form shows without changes. Pure. */
export function unchangedFields(connection: Connection | null, begun: BegunConnection | null): ConnectionFields {
  return connection === null ? newFields(begun) : fieldsOf(connection);
}

/** Whether a form has changes. Pure. */
export function isEdited(fields: ConnectionFields | undefined, unchanged: ConnectionFields): boolean {
  return fields !== undefined && JSON.stringify(fields) !== JSON.stringify(unchanged);
}

/**
 * What is still unsaved in a form after `sent` was saved as `connection`: null, unless more was typed while it was
 * being saved. Pure.
 */
export function stillUnsaved(
  now: ConnectionFields | undefined,
  sent: ConnectionFields,
  connection: Connection,
): ConnectionFields | null {
  if (now === undefined || JSON.stringify(now) === JSON.stringify(sent)) return null;
  return { ...now, id: connection.id, key: now.key === sent.key ? '' : now.key };
}
