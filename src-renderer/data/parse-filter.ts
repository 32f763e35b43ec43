import { tokenProblemText, type TokenProblem } from '../messages/jobs/filter.ts';
import {
  boundOf,
  figureKindOf,
  figurePattern,
  isFigureField,
  isOneOf,
  markedAs,
  momentOf,
  type FigureField,
} from './parse-filter-values.ts';

/**
 * The fields of the filter box that are written with a colon. `isSingle`: a query has one value of it. `isInAnyCase`:
 * its values are defined here, and may be written in any case.
 */
const colonFields = {
  status: { isSingle: false, isInAnyCase: true },
  endpoint: { isSingle: true, isInAnyCase: false },
  tag: { isSingle: false, isInAnyCase: false },
  '-tag': { isSingle: false, isInAnyCase: false },
  mark: { isSingle: false, isInAnyCase: true },
  label: { isSingle: false, isInAnyCase: false },
  after: { isSingle: true, isInAnyCase: true },
  before: { isSingle: true, isInAnyCase: true },
  id: { isSingle: true, isInAnyCase: false },
  batch: { isSingle: true, isInAnyCase: false },
  cause: { isSingle: true, isInAnyCase: false },
  'same-input': { isSingle: true, isInAnyCase: false },
  has: { isSingle: false, isInAnyCase: true },
  connection: { isSingle: true, isInAnyCase: true },
} as const;
export type ColonField = keyof typeof colonFields;
/** Figures are written with `>` or `<`. */
export type FilterField = ColonField | FigureField;

function isColonField(name: string): name is ColonField {
  return Object.hasOwn(colonFields, name);
}

/** Whether there is a field of this name. */
export function isFilterField(name: string): name is FilterField {
  return isColonField(name) || isFigureField(name);
}

export interface FilterToken {
  field: FilterField;
  /** As entered. The value of a figure includes its sign: `>30s`. */
  value: string;
}

/** The content of the filter box: tokens, then free text. */
export interface FilterQuery {
  tokens: readonly FilterToken[];
  text: string;
}

export const emptyQuery: FilterQuery = { tokens: [], text: '' };

/** Whether two filters are the same, token by token. Pure. */
export function isSameQuery(one: FilterQuery, other: FilterQuery): boolean {
  return (
    one.text === other.text &&
    one.tokens.length === other.tokens.length &&
    one.tokens.every((token, at) => token.field === other.tokens[at]?.field && token.value === other.tokens[at]?.value)
  );
}

/** The statuses that `status:` accepts, as the history names them. */
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
export const hasValues = ['images', 'error', 'stream'] as const;
/** Everything that is saved, including jobs of removed connections, which the list of no connection shows. */
export const anyConnection = { field: 'connection', value: 'any' } as const satisfies FilterToken;

/** `since` is the former name of `after`. */
const names = [...Object.keys(colonFields), 'since'].join('|');
/** `field:value`, `field:"two words"` or `took>30s`, at the start of a word. `took:30s` is read to be named invalid. */
const tokenPattern = new RegExp(
  String.raw`(^|\s)(?:(${names}):(?:"([^"]*)"|([^\s"]\S*))|(${figurePattern}):?((?:[<>]|(?<=:))\S+))(?=\s|$)`,
  'gi',
);
/** A token that is still being typed, at the end of the text: `status:`, `status:fai`, `tag:"two wo`, `took>3`. */
const unfinishedToken = new RegExp(
  String.raw`(^|\s)(?:(?:${names}):(?:"[^"]*"?|\S*)|(?:${figurePattern})(?::|[<>])\S*)$`,
  'i',
);
const fieldWithoutValue = new RegExp(
  String.raw`(^|\s)(?:(?:${names}):(?:"")?|(?:${figurePattern})(?::?[<>]|:))(?=\s|$)`,
  'gi',
);

/** The values of `since:` in former versions, in the syntax of `after:`. */
const formerSince: Readonly<Record<string, string>> = { hour: '1h', today: 'today', week: '7d' };

/** What is wrong with a token's value, or null. */
function problemOf({ field, value }: FilterToken): TokenProblem | null {
  switch (field) {
    case 'status':
      return isOneOf(statusValues, value) ? null : tokenProblemText.status(value);
    case 'has':
      return isOneOf(hasValues, value) ? null : tokenProblemText.has(value);
    case 'mark':
      return markedAs(value) === null ? tokenProblemText.mark(value) : null;
    case 'connection':
      return value === anyConnection.value ? null : tokenProblemText.connection(value);
    case 'after':
    case 'before':
      return momentOf(value, 0) === null ? tokenProblemText.moment(field, value) : null;
    case 'took':
    case 'waited':
    case 'cost':
      return figureProblem(field, value);
    case 'endpoint':
    case 'tag':
    case '-tag':
    case 'label':
    case 'id':
    case 'batch':
    case 'cause':
    case 'same-input':
      return value === '' ? tokenProblemText.noValue(field) : null;
  }
}

function figureProblem(field: FigureField, value: string): TokenProblem | null {
  if (!/^[<>]/.test(value)) return tokenProblemText.noSign(field, value);
  return boundOf(field, value) === null ? tokenProblemText[figureKindOf(field)](field, value.slice(1)) : null;
}

interface FoundToken {
  token: FilterToken;
  isFinished: boolean;
}

function toToken(name: string, value: string): FilterToken | null {
  const field = name.toLowerCase();
  if (field === 'since') return { field: 'after', value: formerSince[value.toLowerCase()] ?? value.toLowerCase() };
  if (isFigureField(field)) return { field, value: value.toLowerCase() };
  if (!isColonField(field)) return null;
  return { field, value: colonFields[field].isInAnyCase ? value.toLowerCase() : value };
}

/** Calls `take` with every token of the text. If it returns true, the token is removed from the text. */
function eachToken(typed: string, isFinal: boolean, take: (found: FoundToken) => boolean): string {
  return typed.replaceAll(tokenPattern, (...groups: (string | number | undefined)[]) => {
    const [whole, before, name, quoted, plain, figure, bound] = groups.map((group) => String(group ?? ''));
    const offset = groups.findLast((group) => typeof group === 'number') ?? 0;
    const token = toToken(name || figure || '', bound || (groups[3] === undefined ? plain : quoted) || '');
    if (token === null) return whole ?? '';
    const isFinished = isFinal || offset + (whole ?? '').length < typed.length;
    return take({ token, isFinished }) ? (before ?? '') : (whole ?? '');
  });
}

/**
 * Reads the tokens in a text. A token counts once a space follows it, or anywhere if `isFinal`. Invalid ones
 * (`status:nonsense`, `http:`) stay in the text; see `searchedText` and `queryProblem`.
 */
export function parseQuery(typed: string, isFinal: boolean): FilterQuery {
  const tokens: FilterToken[] = [];
  const text = eachToken(typed, isFinal, ({ token, isFinished }) => {
    if (!isFinished || problemOf(token) !== null) return false;
    tokens.push(token);
    return true;
  });
  return { tokens, text: tokens.length > 0 ? text.replaceAll(/\s+/g, ' ').trimStart() : typed };
}

/** The words to search for. Unfinished and invalid tokens are left out, so that they never empty the list. */
export function searchedText(typed: string, isFinal: boolean): string {
  const known = eachToken(typed, true, ({ token }) => problemOf(token) !== null);
  return isFinal ? known.replaceAll(fieldWithoutValue, '$1') : known.replace(unfinishedToken, '$1');
}

/** What is wrong with the first finished token that is invalid, or null. */
export function queryProblem(typed: string, isFinal: boolean): TokenProblem | null {
  let problem: TokenProblem | null = null;
  eachToken(typed, isFinal, ({ token, isFinished }) => {
    if (isFinished) problem ??= problemOf(token);
    return false;
  });
  return problem;
}

/**
 * What `mend` makes of the first finished token that is invalid, and the text without that token. Null if there is
 * none, or `mend` makes nothing of it.
 */
export function mendedQuery(
  typed: string,
  isFinal: boolean,
  mend: (token: FilterToken) => FilterToken | null,
): { token: FilterToken; typed: string } | null {
  const mended: FilterToken[] = [];
  let isFirst = true;
  const rest = eachToken(typed, isFinal, ({ token, isFinished }) => {
    if (!isFirst || !isFinished || problemOf(token) === null) return false;
    isFirst = false;
    const meant = mend(token);
    if (meant !== null) mended.push(meant);
    return meant !== null;
  });
  const [token] = mended;
  return token === undefined ? null : { token, typed: rest.replaceAll(/\s+/g, ' ').trimStart() };
}

/**
 * Adds tokens, each once. In a field that holds one value, and for a figure's bound, the new token replaces the old
 * one.
 */
export function addTokens(tokens: readonly FilterToken[], more: readonly FilterToken[]): FilterToken[] {
  let result = [...tokens];
  for (const token of more) {
    const { field, value } = token;
    const isReplaced = (one: FilterToken): boolean =>
      one.field === field &&
      (one.value === value || (isFigureField(field) ? one.value[0] === value[0] : colonFields[field].isSingle));
    result = result.filter((one) => !isReplaced(one));
    result.push(token);
  }
  return result;
}

/** What comes before a token's value: `status:`, or only the name of a figure. */
export function tokenName({ field }: Pick<FilterToken, 'field'>): string {
  return isFigureField(field) ? field : `${field}:`;
}

/** `status:failed`, in quotes if the value has spaces; `took>30s`. */
export function tokenText(token: FilterToken): string {
  return `${tokenName(token)}${/\s/.test(token.value) ? `"${token.value}"` : token.value}`;
}

/** Whether the list includes the jobs of all connections. */
export function isOfAllConnections({ tokens }: FilterQuery): boolean {
  return tokens.some(({ field }) => field === anyConnection.field);
}

/** A part of a query that can be removed, and what the query is without it ("Loosen one of them"). */
export interface Loosening {
  token: FilterToken | null;
  /** The free text, if that is the part. */
  text: string | null;
  query: FilterQuery;
}

/** All ways to remove one part of a query. */
export function queriesWithoutOnePart(query: FilterQuery): Loosening[] {
  const parts: Loosening[] = query.tokens.map((token) => ({
    token,
    text: null,
    query: { tokens: query.tokens.filter((one) => one !== token), text: query.text },
  }));
  if (query.text.trim() !== '')
    parts.push({ token: null, text: query.text.trim(), query: { tokens: query.tokens, text: '' } });
  return parts;
}
