import type { ConnectionCheck, ConnectionDraft, Endpoint } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Log } from '../log.ts';
import type { HealthRecord, Reply, ServiceTarget } from '../service/reply.ts';
import { checkDraft, cleanKey } from './connection-draft.ts';
import { isSameAddress, targetOf, type ConnectionRecord } from './connection-records.ts';
import { agreedPlainHttp, keyNotFor, type Addresses } from './origins.ts';
import { connectionCheckText, checkProblem } from '../messages/connection.ts';

export type ProbeHealth = (target: ServiceTarget, endpointId: string) => Promise<Reply<HealthRecord>>;

/** How many endpoints are checked at the same time. The only limit of health reads is per endpoint (ruling 20). */
const atOnce = 6;

/** What to check: a saved connection, a draft, or a draft of a saved one. With `key`, or else with the saved key. */
export interface CheckInput {
  connectionId?: string | undefined;
  draft?: ConnectionDraft | undefined;
  key?: string | undefined;
}

export interface CheckParts {
  findRecord: (connectionId: string) => Promise<Result<ConnectionRecord>>;
  savedKey: (connectionId: string) => Promise<Result<string | null>>;
  probeHealth: ProbeHealth;
  log: Log;
}

/**
 * Checks the endpoints. `savedConnectionId`: the saved connection, if its saved key was used at its saved address. Null
 * otherwise.
 */
export async function runCheck(
  input: CheckInput,
  { findRecord, savedKey, probeHealth, log }: CheckParts,
): Promise<Result<{ checks: ConnectionCheck[]; savedConnectionId: string | null }>> {
  const savedId = input.connectionId ?? input.draft?.id;
  const saved = savedId === undefined ? null : await findRecord(savedId);
  if (saved !== null && !saved.ok) return saved;
  const draft = input.draft === undefined ? null : checkDraft(input.draft);
  if (draft !== null && !draft.ok) return draft;
  const place = draft?.value.fields ?? saved?.value;
  if (place === undefined) return failed({ kind: 'refused', message: connectionCheckText.noConnection });
  if (place.endpoints.length === 0)
    return failed({ kind: 'refused', field: 'endpoints', message: connectionCheckText.noEndpoint });
  // Health is read from the base URL only.
  const addresses = { baseUrl: place.baseUrl, restUrl: '' };
  const agreed = agreedPlainHttp(addresses, input.draft?.plainHttpOrigins, saved?.value ?? null);
  if (!agreed.ok) return agreed;
  const key = await keyToUse(saved?.value ?? null, input.key, addresses, savedKey);
  if (!key.ok) return key;
  log.hide(key.value);

  const checks = await checkEndpoints(
    { ...targetOf(place), readKey: () => Promise.resolve(key.value) },
    place.endpoints,
    probeHealth,
  );
  const isOfSaved = saved !== null && isSameAddress(saved.value, place) && input.key === undefined;
  return ok({
    // A service may quote the key in its error message.
    checks: checks.map((check) => ({ ...check, problem: check.problem === null ? null : log.redact(check.problem) })),
    savedConnectionId: isOfSaved ? saved.value.id : null,
  });
}

/** The entered key, or else the saved one if it was entered for this address (ruling 44). */
async function keyToUse(
  saved: ConnectionRecord | null,
  typed: string | undefined,
  addresses: Addresses,
  savedKey: CheckParts['savedKey'],
): Promise<Result<string>> {
  if (typed !== undefined) {
    const clean = cleanKey(typed);
    return clean.ok ? ok(clean.value.key) : clean;
  }
  const read = saved === null ? ok(null) : await savedKey(saved.id);
  if (!read.ok) return read;
  if (read.value !== null) {
    const refusal = keyNotFor(addresses, saved?.keyOrigins ?? []);
    return refusal === null ? ok(read.value) : failed(refusal);
  }
  return failed({
    kind: 'no-key',
    connectionId: saved?.id ?? '',
    message: connectionCheckText.noKey,
  });
}

/** Reads each endpoint's health once. Returns the results in the given order. */
async function checkEndpoints(
  target: ServiceTarget,
  endpoints: Endpoint[],
  probeHealth: ProbeHealth,
): Promise<ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  for (let from = 0; from < endpoints.length; from += atOnce) {
    const group = endpoints.slice(from, from + atOnce);
    checks.push(...(await Promise.all(group.map((endpoint) => checkEndpoint(target, endpoint.id, probeHealth)))));
  }
  return checks;
}

async function checkEndpoint(
  target: ServiceTarget,
  endpointId: string,
  probeHealth: ProbeHealth,
): Promise<ConnectionCheck> {
  const { result, exchange } = await probeHealth(target, endpointId);
  return {
    endpointId,
    method: 'GET',
    path: exchange.path,
    httpStatus: exchange.httpStatus,
    tookMs: exchange.tookMs,
    problem: result.ok ? null : checkProblem(result.failure),
  };
}

/**
 * What the checks say about the key: accepted if one passed and none was refused, refused if all were, otherwise
 * unknown.
 */
export function keyVerdict(
  checks: ConnectionCheck[],
): { kind: 'accepted' } | { kind: 'refused'; httpStatus: number; path: string } | { kind: 'open' } {
  const refusals = checks.filter((check) => check.httpStatus === 401 || check.httpStatus === 403);
  const first = refusals[0];
  if (first === undefined) return { kind: checks.some((check) => check.problem === null) ? 'accepted' : 'open' };
  return refusals.length === checks.length
    ? { kind: 'refused', httpStatus: first.httpStatus ?? 401, path: first.path }
    : { kind: 'open' };
}
