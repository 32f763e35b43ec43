import type { z } from 'zod';
import { connectionDraft, endpoint as endpointShape } from '../../src-preload/connection-schema.ts';
import type { ConnectionDraft, Endpoint } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';
import { normaliseUrl } from '../service/normalise-url.ts';
import type { ConnectionRecord } from './connection-record.ts';

/** The part of a record that the user types. */
export type TypedFields = Pick<ConnectionRecord, 'name' | 'baseUrl' | 'restUrl' | 'authorization' | 'endpoints'>;

export interface CheckedDraft {
  fields: TypedFields;
  /** What was normalised, one sentence each (ruling 28). */
  notes: string[];
}

/** A draft with its URLs normalised, or which field does not hold and why. */
export function checkDraft(draft: ConnectionDraft): Result<CheckedDraft, LocalFailure> {
  const parsed = connectionDraft.safeParse(draft);
  if (!parsed.success) return failed(refusalOf(parsed.error));
  const { name, authorization, endpoints } = parsed.data;
  const base = normaliseUrl(parsed.data.baseUrl, 'base');
  if (!base.ok) return base;
  // Without pods and templates there is no REST URL.
  const rest = parsed.data.restUrl === '' ? ok({ url: '', notes: [] }) : normaliseUrl(parsed.data.restUrl, 'rest');
  if (!rest.ok) return rest;
  const twice = endpoints.find((endpoint, at) => endpoints.findIndex(({ id }) => id === endpoint.id) !== at);
  if (twice !== undefined) return failed({ kind: 'refused', field: 'endpoints', message: `The endpoint ${twice.id} is in the list twice.` });
  return ok({
    fields: { name, authorization, endpoints, baseUrl: base.value.url, restUrl: rest.value.url },
    notes: [...base.value.notes.map((note) => `Base URL: ${note}`), ...rest.value.notes.map((note) => `REST URL: ${note}`)],
  });
}

/** The endpoints with this one added, or changed where its id is known. */
export function withEndpoint(endpoints: Endpoint[], added: Endpoint): Result<Endpoint[], LocalFailure> {
  const parsed = endpointShape.safeParse(added);
  if (!parsed.success) return failed({ ...refusalOf(parsed.error), field: 'endpoints' });
  const isKnown = endpoints.some(({ id }) => id === parsed.data.id);
  const changed = isKnown ? endpoints.map((endpoint) => (endpoint.id === parsed.data.id ? parsed.data : endpoint)) : [...endpoints, parsed.data];
  return ok(changed);
}

/** The endpoints without the one of this id; `absent` when there is none. */
export function withoutEndpoint(endpoints: Endpoint[], endpointId: string): Result<Endpoint[], LocalFailure> {
  const rest = endpoints.filter(({ id }) => id !== endpointId);
  return rest.length < endpoints.length ? ok(rest) : failed({ kind: 'absent', message: 'This connection has no endpoint with this id.' });
}

const words: Record<string, string> = {
  name: 'A connection needs a name of at most 100 characters.',
  baseUrl: 'A connection needs a base URL, the address that comes before /v2.',
  restUrl: 'The REST URL is too long.',
  endpoints: 'An endpoint id has no spaces and none of / ? #, and a connection has at most 200 endpoints.',
  id: 'An endpoint id has no spaces and none of / ? #.',
  label: 'A label has at most 100 characters.',
};

function refusalOf(error: z.ZodError): Extract<LocalFailure, { kind: 'refused' }> {
  const field = String(error.issues[0]?.path[0] ?? 'name');
  return { kind: 'refused', field, message: words[field] ?? 'Something that was typed for this connection does not hold.' };
}
