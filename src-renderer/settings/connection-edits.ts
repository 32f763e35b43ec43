import { useEffect } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { withoutLogin } from '../data/without-login.ts';
import { useSettingsDialog, type BegunConnection } from '../navigation/settings-dialog-store.ts';
import { blankConnection, fieldsOf, newFields, type ConnectionFields } from './connection-form-state.ts';

/** Forms of connections with changes that are not saved yet, by `formOf`. A key is only in one that is on screen. */
export const connectionForms = unsavedForms<ConnectionFields>({
  kind: 'connection',
  isForm: isLike({
    ...blankConnection,
    endpoints: [{ id: '', label: '', flavour: 'other' }],
    plainHttpOrigins: [''],
  }),
  withoutSecrets: (fields) => ({
    ...fields,
    baseUrl: withoutLogin(fields.baseUrl),
    restUrl: withoutLogin(fields.restUrl),
    consoleUrl: withoutLogin(fields.consoleUrl),
    logUrl: withoutLogin(fields.logUrl),
    key: '',
  }),
});

/**
 * A form of a connection for a component; see `unsavedForms`. When it leaves the screen, its key is forgotten, and the
 * rest of what was typed stays.
 */
export function useConnectionForm(form: string, unchanged: ConnectionFields) {
  const shown = connectionForms.useForm(form, unchanged);
  useEffect(
    () => () => {
      const left = connectionForms.typedIn(form);
      if (left !== undefined) connectionForms.put(form, { ...left, key: '' });
    },
    [form],
  );
  return shown;
}

/** The name of a connection's form, or of that of a new one, which starts with what is known of it. Pure. */
export function formOf(connectionId: string | null, begun: BegunConnection | null): string {
  return connectionId ?? ['new', begun?.baseUrl, begun?.endpointId].join(' ');
}

/** What a form shows without changes. Pure. */
export function unchangedFields(connection: Connection | null, begun: BegunConnection | null): ConnectionFields {
  return connection === null ? newFields(begun) : fieldsOf(connection);
}

/** Whether a form has changes. Pure. */
export function isEdited(fields: ConnectionFields, unchanged: ConnectionFields): boolean {
  return JSON.stringify(fields) !== JSON.stringify(unchanged);
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

/**
 * Whether this form is still the one in the settings: the user may have turned to another page while it was saved, or
 * its connection removed.
 */
export function isOnScreen(form: string): boolean {
  const { section, connectionId, begun } = useSettingsDialog.getState();
  return section === 'connections' && formOf(connectionId, begun) === form;
}
