import type { AuthorizationForm, Connection, ConnectionDraft, Endpoint } from '../../src-preload/connection.ts';
import { isHttpUrl } from '../../src-preload/url.ts';
import type { BegunConnection } from '../navigation/settings-dialog-store.ts';

/** A connection in the form. The key is write-only: the field starts empty, and empty means unchanged. */
export interface ConnectionFields {
  id: string | null;
  name: string;
  baseUrl: string;
  restUrl: string;
  authorization: AuthorizationForm;
  endpoints: Endpoint[];
  /** Links to pages of the service; empty: none. */
  consoleUrl: string;
  logUrl: string;
  /** Origins of other machines that may be reached over http:// (ruling 44). */
  plainHttpOrigins: string[];
  key: string;
}

export const blankConnection: ConnectionFields = {
  id: null,
  name: '',
  baseUrl: '',
  restUrl: '',
  authorization: 'bearer',
  endpoints: [],
  consoleUrl: '',
  logUrl: '',
  plainHttpOrigins: [],
  key: '',
};

/** The saved connection as form fields. */
export function fieldsOf(connection: Connection): ConnectionFields {
  const { id, name, baseUrl, restUrl, authorization, endpoints, plainHttp, consoleUrl = '', logUrl = '' } = connection;
  const plainHttpOrigins = plainHttp.flatMap(({ origin, isAgreed }) => (isAgreed ? [origin] : []));
  return { id, name, baseUrl, restUrl, authorization, endpoints, consoleUrl, logUrl, plainHttpOrigins, key: '' };
}

/** A new connection as form fields, with the address and endpoint if they are known. */
export function newFields(begun: BegunConnection | null): ConnectionFields {
  return begun === null
    ? blankConnection
    : { ...blankConnection, baseUrl: begun.baseUrl, endpoints: addEndpointIds([], begun.endpointId) };
}

/** Which fields of a new connection are filled in so that they can be used: the first start ticks them. Pure. */
export function filledIn({ name, baseUrl, restUrl, key }: ConnectionFields): Readonly<Record<string, boolean>> {
  return {
    name: name.trim() !== '',
    baseUrl: isHttpUrl(baseUrl),
    restUrl: isHttpUrl(restUrl),
    key: key.trim() !== '',
  };
}

/** The form as the bridge takes it. The key is sent separately. */
export function toConnectionDraft(fields: ConnectionFields): ConnectionDraft {
  const { id, name, baseUrl, restUrl, authorization, endpoints, consoleUrl, logUrl, plainHttpOrigins } = fields;
  return {
    ...(id === null ? {} : { id }),
    name: name.trim(),
    baseUrl: baseUrl.trim(),
    restUrl: restUrl.trim(),
    authorization,
    endpoints,
    consoleUrl: consoleUrl.trim(),
    logUrl: logUrl.trim(),
    plainHttpOrigins,
  };
}

/** The part of the form that a check needs to send its requests: no names, labels or links. */
export function checkedFields(fields: ConnectionFields): ConnectionFields {
  const endpoints = fields.endpoints.map(({ id }): Endpoint => ({ id, label: '', flavour: 'other' }));
  return { ...fields, name: 'unnamed', endpoints, consoleUrl: '', logUrl: '' };
}

/** Whether a check of both would send the same requests. */
export function isSameCheck(one: ConnectionFields, other: ConnectionFields): boolean {
  const requestOf = (fields: ConnectionFields): string =>
    JSON.stringify([toConnectionDraft(checkedFields(fields)), fields.key]);
  return requestOf(one) === requestOf(other);
}

/** Adds one or more ids, separated by spaces, commas or lines. Ids that are already listed are left out. */
export function addEndpointIds(endpoints: readonly Endpoint[], text: string): Endpoint[] {
  const known = new Set(endpoints.map((endpoint) => endpoint.id));
  const added: Endpoint[] = [];
  for (const id of text.split(/[\s,;]+/)) {
    if (id === '' || known.has(id)) continue;
    known.add(id);
    added.push({ id, label: '', flavour: 'unknown' });
  }
  return [...endpoints, ...added];
}
