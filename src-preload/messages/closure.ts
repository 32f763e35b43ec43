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
  [['status'], 'Jobs there are not looked at meanwhile, and their results wait on the service.'],
  [['stream'], 'Streams there are not read meanwhile.'],
  [['run', 'runsync'], 'New jobs are not taken there.'],
  [['retry'], 'Jobs there cannot be retried.'],
  [['cancel'], 'Jobs there cannot be cancelled.'],
  [['purge-queue'], 'The queue there cannot be purged.'],
  [['health'], 'Queue and workers there cannot be read.'],
];

/** What can be done at an endpoint, for the words of what still works. */
const doings: readonly (readonly [readonly string[], string])[] = [
  [['status'], 'looking at jobs'],
  [['stream'], 'reading streams'],
  [['run', 'runsync'], 'submitting'],
  [['cancel'], 'cancelling'],
  [['retry'], 'retrying'],
];

/** What these closures mean for jobs, and what still works. At most the two weightiest of several are said. */
export function closedMeaning(closures: readonly Pick<Closure, 'endpointId' | 'operation'>[]): string {
  const closed = new Set(closures.map(({ operation }) => operation));
  const said = meanings
    .filter(([operations]) => operations.some((operation) => closed.has(operation)))
    .slice(0, 2)
    .map(([, words]) => words);
  return [...said, stillWorks(closures, closed)].join(' ');
}

function stillWorks(closures: readonly Pick<Closure, 'endpointId'>[], closed: ReadonlySet<string>): string {
  const isOneEndpoint = new Set(closures.map(({ endpointId }) => endpointId)).size === 1;
  if (closures.length === 1 || !isOneEndpoint) return 'Everything else works.';
  const open = doings
    .filter(([operations]) => !operations.some((operation) => closed.has(operation)))
    .map(([, words]) => words);
  return open.length === 0
    ? 'Other endpoints work.'
    : `${capital(listed(open))} still work${open.length === 1 ? 's' : ''} there.`;
}

function listed(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** The text with its first letter large. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
