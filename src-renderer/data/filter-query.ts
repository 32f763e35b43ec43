import type { Connection } from '../../src-preload/connection.ts';
import type { JobFilter, JobView } from '../../src-preload/history.ts';
import { marks } from '../../src-preload/judgement.ts';
import { startOfDay } from '../design/format.ts';

/** Fields the filter box knows, as typed before the colon. */
type FilterField = 'status' | 'endpoint' | 'tag' | '-tag' | 'mark' | 'label' | 'since' | 'connection';

export interface FilterToken {
  field: FilterField;
  value: string;
}

/** What stands in the filter box: tokens, then free text. */
export interface FilterQuery {
  tokens: readonly FilterToken[];
  text: string;
}

export const emptyQuery: FilterQuery = { tokens: [], text: '' };

/** Statuses as `status:` takes them (history's own words). */
export const statusValues = [
  'in_queue',
  'in_progress',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'gone',
  'waiting',
  'refused',
  'outcome_unknown',
  'orphaned',
] as const;
export const sinceValues = ['hour', 'today', 'week'] as const;
/** Everything that is saved, also of connections that were removed: no connection in use lists that. */
export const anyConnection = { field: 'connection', value: 'any' } as const satisfies FilterToken;

/** What `mark:` takes, and which marks pass; 0 stands for none. */
const marksOf: ReadonlyMap<string, JobFilter['marks']> = new Map<string, JobFilter['marks']>([
  ['good', [4, 5]],
  ['bad', [1, 2]],
  ['any', [1, 2, 3, 4, 5]],
  ['none', [0]],
  ...marks.map((mark): [string, JobFilter['marks']] => [String(mark), [mark]]),
]);
export const markValues = [...marksOf.keys()];

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** `field:value` or `field:"two words"`, at a word's start. */
const tokenPattern = /(^|\s)(status|endpoint|-tag|tag|mark|label|since|connection):(?:"([^"]*)"|(\S+))(?=\s|$)/gi;

function isKnown(token: FilterToken): boolean {
  if (token.field === 'status') return statusValues.some((value) => value === token.value);
  if (token.field === 'connection') return token.value === anyConnection.value;
  if (token.field === 'mark') return marksOf.has(token.value);
  if (token.field === 'since') return sinceValues.some((value) => value === token.value);
  return token.value !== '';
}

/** Its values are words of ours, whatever case they are typed in. */
function isWord(field: FilterField): boolean {
  return field === 'status' || field === 'mark' || field === 'since' || field === 'connection';
}

function toField(name: string): FilterField | null {
  switch (name.toLowerCase()) {
    case 'status':
      return 'status';
    case 'endpoint':
      return 'endpoint';
    case 'tag':
      return 'tag';
    case '-tag':
      return '-tag';
    case 'mark':
      return 'mark';
    case 'label':
      return 'label';
    case 'since':
      return 'since';
    case 'connection':
      return 'connection';
    default:
      return null;
  }
}

/**
 * Reads tokens out of typed text. A token counts once it is finished: followed by a space, or anywhere when `isFinal`.
 * What is no token (`status:nonsense`, `http:`) stays text and is searched as such.
 */
export function parseQuery(typed: string, isFinal: boolean): FilterQuery {
  const tokens: FilterToken[] = [];
  const text = typed.replaceAll(
    tokenPattern,
    (
      whole: string,
      before: string,
      name: string,
      quoted: string | undefined,
      plain: string | undefined,
      offset: number,
    ) => {
      const isFinished = isFinal || offset + whole.length < typed.length;
      const field = toField(name);
      if (!isFinished || field === null) return whole;
      const given = quoted ?? plain ?? '';
      const token: FilterToken = {
        field,
        value: isWord(field) ? given.toLowerCase() : given,
      };
      if (!isKnown(token)) return whole;
      tokens.push(token);
      return before;
    },
  );
  return { tokens, text: tokens.length > 0 ? text.replaceAll(/\s+/g, ' ').trimStart() : typed };
}

/** A token that is still being typed, at the end of the text: `status:`, `status:fai`, `tag:"two wo`. */
const unfinishedToken = /(^|\s)(?:status|endpoint|-tag|tag|mark|label|since|connection):(?:"[^"]*"?|\S*)$/i;
const fieldWithoutValue = /(^|\s)(?:status|endpoint|-tag|tag|mark|label|since|connection):(?:"")?\s*$/i;

/**
 * What is searched for of typed text: a token that is not finished yet is no word to find, so it never empties the
 * list. Entered for good, only a field without a value is left out.
 */
export function searchedText(typed: string, isFinal: boolean): string {
  return typed.replace(isFinal ? fieldWithoutValue : unfinishedToken, '$1');
}

/** Adds tokens, each once; `endpoint` and `since` hold one value, so the newer replaces the older. */
export function addTokens(tokens: readonly FilterToken[], more: readonly FilterToken[]): FilterToken[] {
  let result = [...tokens];
  for (const token of more) {
    const isSingle = token.field === 'endpoint' || token.field === 'since' || token.field === 'connection';
    result = result.filter((one) => one.field !== token.field || (!isSingle && one.value !== token.value));
    result.push(token);
  }
  return result;
}

/** `status:failed`, quoted where the value has spaces. */
export function tokenText(token: FilterToken): string {
  return /\s/.test(token.value) ? `${token.field}:"${token.value}"` : `${token.field}:${token.value}`;
}

/** Where in the sidebar the window stands. */
export interface Place {
  view: JobView;
  endpointId: string | null;
  /** A batch, whose rows alone are shown. */
  batchId?: string;
}

/** Resolves what was typed after `endpoint:` to an id: by id, then by label, then by the beginning of either. */
export function resolveEndpoint(typed: string, connection: Pick<Connection, 'endpoints'> | null): string {
  const wanted = typed.toLowerCase();
  const endpoints = connection?.endpoints ?? [];
  const found =
    endpoints.find((one) => one.id === typed) ??
    endpoints.find((one) => one.label.toLowerCase() === wanted) ??
    endpoints.find((one) => one.id.toLowerCase().startsWith(wanted) || one.label.toLowerCase().startsWith(wanted));
  return found?.id ?? typed;
}

/** Epoch time a `since:` value starts at. */
export function sinceStart(value: string, nowMs: number): number {
  if (value === 'hour') return nowMs - hourMs;
  if (value === 'week') return startOfDay(nowMs - 6 * dayMs);
  return startOfDay(nowMs);
}

function isOrphanedAlone(statuses: readonly string[]): boolean {
  return statuses.length > 0 && statuses.every((status) => status === 'orphaned');
}

/** The filter the engine is asked with. An `endpoint:` token wins over the sidebar's endpoint. */
export function toJobFilter(
  place: Place,
  query: FilterQuery,
  connection: Pick<Connection, 'id' | 'endpoints'> | null,
  nowMs: number,
): JobFilter {
  const of = (field: FilterField): string[] =>
    query.tokens.filter((token) => token.field === field).map((token) => token.value);
  const endpoint = of('endpoint')[0];
  const since = of('since')[0];
  return {
    view: place.view,
    // Jobs that were orphaned are of connections that are gone: no connection in use has any.
    connectionId: of('connection').length > 0 || isOrphanedAlone(of('status')) ? null : (connection?.id ?? null),
    endpointId: endpoint === undefined ? place.endpointId : resolveEndpoint(endpoint, connection),
    statuses: of('status').slice(0, 10),
    tags: of('tag').slice(0, 10),
    notTags: of('-tag').slice(0, 10),
    marks: [...new Set(of('mark').flatMap((value) => marksOf.get(value) ?? []))],
    labels: of('label').slice(0, 10),
    sinceMs: since === undefined ? null : sinceStart(since, nowMs),
    text: query.text.trim().slice(0, 500),
    batchId: place.batchId ?? null,
  };
}

/** Whether the list is asked for whatever connection jobs are of. */
export function isOfAllConnections({ tokens }: FilterQuery): boolean {
  return tokens.some(({ field }) => field === anyConnection.field);
}

/** One part of a query that can be taken away, with what would be left ("Loosen one of them"). */
export interface Loosening {
  token: FilterToken | null;
  /** The free text, when that is the part. */
  text: string | null;
  query: FilterQuery;
}

/** Every way to loosen a query by one part. */
export function loosenings(query: FilterQuery): Loosening[] {
  const parts: Loosening[] = query.tokens.map((token) => ({
    token,
    text: null,
    query: { tokens: query.tokens.filter((one) => one !== token), text: query.text },
  }));
  if (query.text.trim() !== '')
    parts.push({ token: null, text: query.text.trim(), query: { tokens: query.tokens, text: '' } });
  return parts;
}
