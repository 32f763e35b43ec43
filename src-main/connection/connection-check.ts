import type { ConnectionCheck, Endpoint } from '../../src-preload/connection.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import type { HealthRecord, Reply, ServiceTarget } from '../service/reply.ts';

export type ProbeHealth = (target: ServiceTarget, endpointId: string) => Promise<Reply<HealthRecord>>;

/** Endpoints asked at the same time; health has a limit of its own per endpoint only (ruling 20). */
const atOnce = 6;

/** Asks each endpoint for its health once, and answers in the order given. */
export async function checkEndpoints(target: ServiceTarget, endpoints: Endpoint[], probeHealth: ProbeHealth): Promise<ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  for (let from = 0; from < endpoints.length; from += atOnce) {
    const group = endpoints.slice(from, from + atOnce);
    checks.push(...(await Promise.all(group.map((endpoint) => checkEndpoint(target, endpoint.id, probeHealth)))));
  }
  return checks;
}

async function checkEndpoint(target: ServiceTarget, endpointId: string, probeHealth: ProbeHealth): Promise<ConnectionCheck> {
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

/** Why a check did not pass, as a sentence or two for the connection's page (ruling 7). */
export function checkProblem(failure: ServiceFailure): string {
  const status = failure.httpStatus === undefined ? '' : ` (${failure.httpStatus})`;
  const said = failure.serviceSaid === undefined ? '' : ` It said: ${failure.serviceSaid}`;
  switch (failure.kind) {
    case 'unauthorized':
      return `The service refused this key${status}.${said}`;
    case 'not-found':
      return `No endpoint with this id${status}.${said}`;
    case 'rate-limited':
      return `The service is there, but asks for fewer requests${status}.${said}`;
    case 'server':
      return `The service answered with an error of its own${status}.${said}`;
    case 'malformed':
      return `Something answers there, but not as a queue service does${status}. Check the base URL.`;
    case 'invalid':
    case 'too-large':
    case 'network':
    case 'timeout':
    case 'cancelled':
      return `${failure.message}${said}`;
  }
}

/** What the checks say of the key: accepted when one passed and none was refused, refused when all were, else open. */
export function keyVerdict(checks: ConnectionCheck[]): { kind: 'accepted' } | { kind: 'refused'; httpStatus: number; path: string } | { kind: 'open' } {
  const refusals = checks.filter((check) => check.httpStatus === 401 || check.httpStatus === 403);
  const first = refusals[0];
  if (first === undefined) return { kind: checks.some((check) => check.problem === null) ? 'accepted' : 'open' };
  return refusals.length === checks.length ? { kind: 'refused', httpStatus: first.httpStatus ?? 401, path: first.path } : { kind: 'open' };
}
