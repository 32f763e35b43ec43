import type { z } from 'zod';
import { connectionDraft } from '../../src-preload/connection-schema.ts';
import type { ConnectionDraft, Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';
import { failed, ok, type LocalFailure, type Result } from '../../src-preload/failure.ts';
import { normaliseUrl } from '../service/address.ts';
import type { ConnectionRecord } from './connection-records.ts';
import type { Addresses } from './origins.ts';
import { connectionDraftText, connectionFieldTexts, connectionText, keyText } from '../messages/connection.ts';

/** The part of a record that the user enters. */
type TypedFields = Pick<
  ConnectionRecord,
  'name' | 'baseUrl' | 'restUrl' | 'authorization' | 'endpoints' | 'consoleUrl' | 'logUrl'
>;

export interface CheckedDraft {
  fields: TypedFields;
  /** What was normalised, one sentence each (ruling 28). */
  notes: string[];
}

/** A draft with normalised URLs, or the invalid field with the reason. */
export function checkDraft(draft: ConnectionDraft): Result<CheckedDraft, LocalFailure> {
  const parsed = connectionDraft.safeParse(draft);
  if (!parsed.success) return failed(refusalOf(parsed.error));
  const { name, authorization, endpoints, consoleUrl, logUrl } = parsed.data;
  const base = normaliseUrl(parsed.data.baseUrl, 'base');
  if (!base.ok) return base;
  // The REST URL is only needed for pods and templates.
  const rest = parsed.data.restUrl === '' ? ok({ url: '', notes: [] }) : normaliseUrl(parsed.data.restUrl, 'rest');
  if (!rest.ok) return rest;
  const twice = endpoints.find((endpoint, at) => endpoints.findIndex(({ id }) => id === endpoint.id) !== at);
  if (twice !== undefined)
    return failed({ kind: 'refused', field: 'endpoints', message: connectionDraftText.endpointTwice(twice.id) });
  return ok({
    fields: {
      name,
      authorization,
      endpoints,
      baseUrl: base.value.url,
      restUrl: rest.value.url,
      ...(consoleUrl !== undefined && { consoleUrl }),
      ...(logUrl !== undefined && { logUrl }),
    },
    notes: [
      ...base.value.notes.map(connectionDraftText.aboutBaseUrl),
      ...rest.value.notes.map(connectionDraftText.aboutRestUrl),
    ],
  });
}

/** Entered addresses, normalised. Empty if (still) invalid. */
export function readAddresses({ baseUrl, restUrl }: Addresses): Addresses {
  const base = normaliseUrl(baseUrl, 'base');
  const rest = normaliseUrl(restUrl, 'rest');
  return { baseUrl: base.ok ? base.value.url : '', restUrl: rest.ok ? rest.value.url : '' };
}

function refusalOf(error: z.ZodError): Extract<LocalFailure, { kind: 'refused' }> {
  const field = String(error.issues[0]?.path[0] ?? 'name');
  return {
    kind: 'refused',
    field,
    message: connectionFieldTexts[field] ?? connectionDraftText.invalid,
  };
}

export interface CleanKey {
  key: string;
  /** What was changed, for the user. Never quotes the key. */
  notes: string[];
}

/** Characters that cannot be seen, which pages and chats put between those of a copied text. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const quoted = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|\u201c([^\u201d]*)\u201d)$/;

/**
 * A pasted API key without what is around it: spaces, quotes, the name of the header, a leading "Bearer", and
 * characters that cannot be seen. With them the service would refuse it, and a reply that repeats the key alone would
 * not be cleaned. Refused if it is empty or has characters that a header cannot contain (spec: Authentication).
 */
export function cleanKey(pasted: string): Result<CleanKey, LocalFailure> {
  const seen = pasted.replace(unseen, '').trim();
  const named = withoutQuotes(seen).replace(/^authorization\s*:\s*/i, '');
  const key = withoutQuotes(named.replace(/^bearer\s+/i, ''));
  if (key === '' || /^bearer$/i.test(key)) return failed({ kind: 'refused', field: 'key', message: keyText.empty });
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return failed({
      kind: 'refused',
      field: 'key',
      message: keyText.badCharacter,
    });
  }
  const trimmed = pasted.trim();
  if (key === trimmed) return ok({ key, notes: [] });
  const isOnlyBearer = key === trimmed.replace(/^bearer\s+/i, '');
  return ok({ key, notes: [isOnlyBearer ? keyText.withoutBearer : keyText.withoutRest] });
}

function withoutQuotes(text: string): string {
  return (
    quoted
      .exec(text)
      ?.slice(1)
      .find((inner) => inner !== undefined) ?? text
  ).trim();
}

/** The address of the running sandbox, and its key. */
export interface SandboxAddress {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoints: string[];
}

/** The sandbox's connection at its current address. What the user named or added is taken from `former`. */
export function sandboxRecord(
  former: ConnectionRecord | null,
  { baseUrl, restUrl, endpoints }: SandboxAddress,
  { newId, now }: { newId: () => string; now: () => number },
): Result<ConnectionRecord, LocalFailure> {
  const known = former?.endpoints ?? [];
  const added = endpoints.filter((id) => !known.some((endpoint) => endpoint.id === id)).map(sandboxEndpoint);
  const { name, authorization } = former ?? { name: connectionText.sandbox, authorization: 'bearer' as const };
  const checked = checkDraft({ name, authorization, baseUrl, restUrl, endpoints: [...known, ...added] });
  if (!checked.ok) return checked;
  // A random id, not a fixed name: two data folders on one computer share its keychain.
  const base = former ?? { id: newId(), isSandbox: true, createdAtMs: now(), keyOrigins: [] };
  return ok({ ...base, ...checked.value.fields, plainHttpOrigins: [] });
}

/** Endpoints of the built-in sandbox, with the labels of the sidebar. */
function sandboxEndpoint(id: string): Endpoint {
  const flavours: Record<string, EndpointFlavour> = { text: 'text', image: 'image' };
  return { id, label: id.charAt(0).toUpperCase() + id.slice(1), flavour: flavours[id] ?? 'unknown' };
}
