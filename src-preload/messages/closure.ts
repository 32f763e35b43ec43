import type { Closure } from '../app.ts';

/** The name the user gave an endpoint, else its id. */
export type EndpointNameOf = (endpointId: string) => string;

/** Endpoints named in one line; the others are counted. */
const namedEndpoints = 3;

/** `cancel on Chat`, or `status and stream on Chat, cancel on Images`: which operations are refused, and where. */
export function closedOperations(
  closures: readonly Pick<Closure, 'endpointId' | 'operation'>[],
  nameOf: EndpointNameOf,
): string {
  const byEndpoint = Map.groupBy(closures, ({ endpointId }) => endpointId);
  const named = [...byEndpoint]
    .slice(0, namedEndpoints)
    .map(([endpointId, each]) => `${listed(each.map(({ operation }) => operation))} on ${nameOf(endpointId)}`);
  const others = byEndpoint.size - named.length;
  return `${named.join(', ')}${others === 0 ? '' : `, and on ${others} more endpoint${others === 1 ? '' : 's'}`}`;
}

/** `403`, or `401, 403`: what the service answered. */
export function closedStatuses(closures: readonly Pick<Closure, 'httpStatus'>[]): string {
  return [...new Set(closures.map(({ httpStatus }) => httpStatus))].sort((one, other) => one - other).join(', ');
}

/** What a refused operation means for jobs, the weightiest first. */
const meanings: readonly (readonly [readonly string[], string])[] = [
  [['status'], 'Jobdeck cannot check jobs there meanwhile; their results wait on the service.'],
  [['stream'], 'Jobdeck cannot read streams there meanwhile.'],
  [['run', 'runsync'], 'New jobs cannot be submitted there.'],
  [['retry'], 'Jobs there cannot be retried.'],
  [['cancel'], 'Jobs there cannot be cancelled.'],
  [['purge-queue'], 'The queue there cannot be purged.'],
  [['health'], 'Queue and workers there cannot be read.'],
];

/** What can be done at an endpoint, for the words of what is not refused. */
const doings: readonly (readonly [readonly string[], string])[] = [
  [['status'], 'checking jobs'],
  [['stream'], 'reading streams'],
  [['run', 'runsync'], 'submitting'],
  [['cancel'], 'cancelling'],
  [['retry'], 'retrying'],
];

/** What these closures mean for jobs, and what is not refused. At most the two weightiest of several are said. */
export function closedMeaning(closures: readonly Pick<Closure, 'endpointId' | 'operation' | 'httpStatus'>[]): string {
  const closed = new Set(closures.map(({ operation }) => operation));
  const said = meanings
    .filter(([operations]) => operations.some((operation) => closed.has(operation)))
    .slice(0, 2)
    .map(([, words]) => words);
  // One refusal may be about an endpoint; the same from several is more likely about the key.
  const isByKey = closures.length > 1 && closures.every(({ httpStatus }) => httpStatus === 401);
  return [...said, notRefused(closures, closed), ...(isByKey ? ['The key may be wrong.'] : [])].join(' ');
}

/** Says no more than that: whether the rest works is known once it was asked for. */
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

function listed(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** The text with its first letter large. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
