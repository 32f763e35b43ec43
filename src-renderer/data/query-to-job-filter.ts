import type { Batch } from '../../src-preload/batch.ts';
import type { Connection } from '../../src-preload/connection.ts';
import type { JobFilter, JobView } from '../../src-preload/history.ts';
import { hasValues, type FilterField, type FilterQuery } from './parse-filter.ts';
import { markedAs, momentOf, rangeOf } from './parse-filter-values.ts';

/** What is selected in the sidebar. */
export interface Place {
  view: JobView;
  endpointId: string | null;
  /** A batch whose rows alone are shown. */
  batchId?: string;
}

/** The names that a query can refer to. */
export interface KnownNames {
  connection: Pick<Connection, 'id' | 'endpoints'> | null;
  batches: readonly Pick<Batch, 'id' | 'name'>[];
}

/** The id that was meant by the text after `endpoint:`: an id, a label, or the beginning of either, in this order. */
export function resolveEndpoint(typed: string, connection: Pick<Connection, 'endpoints'> | null): string {
  const wanted = typed.toLowerCase();
  const endpoints = connection?.endpoints ?? [];
  const found =
    endpoints.find((one) => one.id === typed) ??
    endpoints.find((one) => one.label.toLowerCase() === wanted) ??
    endpoints.find((one) => one.id.toLowerCase().startsWith(wanted) || one.label.toLowerCase().startsWith(wanted));
  return found?.id ?? typed;
}

/** As `resolveEndpoint`, for the text after `batch:`. If several batches have the name, the newest is meant. */
function resolveBatch(typed: string, batches: KnownNames['batches']): string {
  const wanted = typed.toLowerCase();
  const found =
    batches.find((one) => one.id === typed) ??
    batches.find((one) => one.name.toLowerCase() === wanted) ??
    batches.find((one) => one.name.toLowerCase().startsWith(wanted));
  return found?.id ?? typed;
}

function isOrphanedAlone(statuses: readonly string[]): boolean {
  return statuses.length > 0 && statuses.every((status) => status === 'orphaned');
}

/** The filter for the engine. Tokens take precedence over the sidebar's endpoint and batch. */
export function toJobFilter(place: Place, query: FilterQuery, known: KnownNames, nowMs: number): JobFilter {
  const { connection, batches } = known;
  const of = (field: FilterField): string[] =>
    query.tokens.filter((token) => token.field === field).map((token) => token.value);
  const last = (field: FilterField): string | null => of(field).at(-1) ?? null;
  const endpoint = last('endpoint');
  const batch = last('batch');
  const moment = (field: 'after' | 'before'): number | null => {
    const value = last(field);
    return value === null ? null : momentOf(value, nowMs);
  };
  return {
    view: place.view,
    // Orphaned jobs belong to removed connections, so no connection in use has any.
    connectionId: of('connection').length > 0 || isOrphanedAlone(of('status')) ? null : (connection?.id ?? null),
    endpointId: endpoint === null ? place.endpointId : resolveEndpoint(endpoint, connection),
    statuses: of('status').slice(0, 10),
    tags: of('tag').slice(0, 10),
    notTags: of('-tag').slice(0, 10),
    marks: [...new Set(of('mark').flatMap((value) => markedAs(value) ?? []))],
    labels: of('label').slice(0, 10),
    sinceMs: moment('after'),
    beforeMs: moment('before'),
    took: rangeOf('took', of('took')),
    waited: rangeOf('waited', of('waited')),
    cost: rangeOf('cost', of('cost')),
    idStart: last('id'),
    has: hasValues.filter((value) => of('has').includes(value)),
    cause: last('cause')?.slice(0, 500) ?? null,
    sameInput: last('same-input')?.slice(0, 200) ?? null,
    text: query.text.trim().slice(0, 500),
    batchId: batch === null ? (place.batchId ?? null) : resolveBatch(batch, batches),
  };
}
