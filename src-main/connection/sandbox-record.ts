import type { Endpoint, EndpointFlavour } from '../../src-preload/connection.ts';
import { ok } from '../../src-preload/failure.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';
import { checkDraft } from './connection-draft.ts';
import type { ConnectionRecord } from './connection-record.ts';

/** Where the running sandbox is, and its key. */
export interface SandboxAddress {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoints: string[];
}

/** The sandbox's connection at its present address; what the user named or added stays as in `former`. */
export function sandboxRecord(
  former: ConnectionRecord | null,
  { baseUrl, restUrl, endpoints }: SandboxAddress,
  { newId, now }: { newId: () => string; now: () => number },
): Result<ConnectionRecord, LocalFailure> {
  const known = former?.endpoints ?? [];
  const added = endpoints.filter((id) => !known.some((endpoint) => endpoint.id === id)).map(sandboxEndpoint);
  const { name, authorization } = former ?? { name: 'Sandbox', authorization: 'bearer' as const };
  const checked = checkDraft({ name, authorization, baseUrl, restUrl, endpoints: [...known, ...added] });
  if (!checked.ok) return checked;
  // A random id, not a fixed name: two data folders on one computer share its keychain.
  const base = former ?? { id: newId(), isSandbox: true, createdAtMs: now(), keyOrigins: [] };
  return ok({ ...base, ...checked.value.fields, plainHttpOrigins: [] });
}

/** Endpoints of the built-in sandbox as the sidebar shows them. */
function sandboxEndpoint(id: string): Endpoint {
  const flavours: Record<string, EndpointFlavour> = { text: 'text', image: 'image' };
  return { id, label: id.charAt(0).toUpperCase() + id.slice(1), flavour: flavours[id] ?? 'other' };
}
