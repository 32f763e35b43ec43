import type { JobView } from '../../src-preload/history.ts';
import { parseQuery, tokenText, type FilterQuery } from './parse-filter.ts';
import type { Place } from './query-to-job-filter.ts';

/** What the list shows, as texts: for the settings, and for another window. */
export interface WrittenList {
  view: JobView;
  endpointId: string | null;
  /** The filter in the syntax of the filter box, without its free text. The batch of a place is one of its tokens. */
  tokens: string;
  text: string;
}

/** A place with its filter, as texts. Pure. */
export function writeList(place: Place, query: FilterQuery): WrittenList {
  const batch = place.batchId === undefined ? [] : [tokenText({ field: 'batch', value: place.batchId })];
  return {
    view: place.view,
    endpointId: place.endpointId,
    tokens: [...batch, ...query.tokens.map(tokenText)].join(' '),
    text: query.text.trim(),
  };
}

/** The filter of a written list. Pure. */
export function readListQuery({ tokens, text }: Pick<WrittenList, 'tokens' | 'text'>): FilterQuery {
  return { tokens: parseQuery(tokens, true).tokens, text };
}
