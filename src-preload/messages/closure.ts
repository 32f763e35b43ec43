import type { Closure } from '../app.ts';
import { capital, listed } from './sentence.ts';

/** The name that the user gave to an endpoint, or else its id. */
export type EndpointNameOf = (endpointId: string) => string;

/** How many endpoints are named in a line. Further ones are counted. */
const namedEndpoints = 3;

/**
 * `cancel on Chat`, or `status and stream on Chat, cancel on Images and Audio`: the refused operations and their
 * endpoints.
 */
export function closedOperations(
  closures: readonly Pick<Closure, 'endpointId' | 'operation'>[],
  nameOf: EndpointNameOf,
): string {
  const byEndpoint = [...Map.groupBy(closures, ({ endpointId }) => endpointId)].map(([endpointId, each]) => ({
    name: nameOf(endpointId),
    closed: listed(each.map(({ operation }) => operation)),
  }));
  const alike = Map.groupBy(byEndpoint.slice(0, namedEndpoints), ({ closed }) => closed);
  const others = byEndpoint.slice(namedEndpoints);
  const more = `${others.length} more endpoint${others.length === 1 ? '' : 's'}`;
  const groups = [...alike].map(([closed, each]) => ({ closed, names: each.map(({ name }) => name) }));
  const [first] = groups;
  // Endpoints that are not named are counted with the others only if they refuse the same.
  if (others.length > 0 && groups.length === 1 && others.every(({ closed }) => closed === first?.closed))
    first?.names.push(more);
  else if (others.length > 0) return `${groups.map(closedOn).join(', ')}, and on ${more}`;
  return groups.map(closedOn).join(', ');
}

function closedOn({ closed, names }: { closed: string; names: readonly string[] }): string {
  return `${closed} on ${listed(names)}`;
}

/** `403`, or `401, 403`: the statuses of the refusals. */
export function closedStatuses(closures: readonly Pick<Closure, 'httpStatus'>[]): string {
  return [...new Set(closures.map(({ httpStatus }) => httpStatus))].sort((one, other) => one - other).join(', ');
}

/** What a refused operation means for jobs, the most important first. */
const meanings: readonly (readonly [readonly string[], string])[] = [
  [['status'], 'Jobdeck cannot check jobs there meanwhile; their results wait on the service.'],
  [['stream'], 'Jobdeck cannot read streams there meanwhile.'],
  [['run', 'runsync'], 'New jobs cannot be submitted there.'],
  [['retry'], 'Jobs there cannot be retried.'],
  [['cancel'], 'Jobs there cannot be cancelled.'],
  [['purge-queue'], 'The queue there cannot be purged.'],
  [['health'], 'Queue and workers there cannot be read.'],
];

/** Activities at an endpoint, for the text about what is not refused. */
const doings: readonly (readonly [readonly string[], string])[] = [
  [['status'], 'checking jobs'],
  [['stream'], 'reading streams'],
  [['run', 'runsync'], 'submitting'],
  [['cancel'], 'cancelling'],
  [['retry'], 'retrying'],
];

/** What these closures mean for jobs, and what is not refused. At most the two most important meanings are included. */
export function closedMeaning(closures: readonly Pick<Closure, 'endpointId' | 'operation' | 'httpStatus'>[]): string {
  const closed = new Set(closures.map(({ operation }) => operation));
  const sentences = meanings
    .filter(([operations]) => operations.some((operation) => closed.has(operation)))
    .slice(0, 2)
    .map(([, words]) => words);
  // A single refusal may be about an endpoint. The same refusal from several is probably about the key.
  const isByKey = closures.length > 1 && closures.every(({ httpStatus }) => httpStatus === 401);
  return [...sentences, notRefused(closures, closed), ...(isByKey ? ['The key may be wrong.'] : [])].join(' ');
}

/** It says no more than that, because whether the rest works is known only after a request. */
function notRefused(closures: readonly Pick<Closure, 'endpointId'>[], closed: ReadonlySet<string>): string {
  const isOneEndpoint = new Set(closures.map(({ endpointId }) => endpointId)).size === 1;
  if (closures.length === 1 || !isOneEndpoint) return 'Nothing else is refused.';
  const open = doings
    .filter(([operations]) => !operations.some((operation) => closed.has(operation)))
    .map(([, words]) => words);
  return open.length === 0
    ? 'Nothing is refused on other endpoints.'
    : `${capital(listed(open))} ${open.length === 1 ? 'is' : 'are'} not refused there.`;
}
