import { expect, test } from 'vitest';
import { emptyQuery, parseQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { isViewOn, viewOf } from '../../../../src-renderer/navigation/saved-views.ts';

const place = { view: 'failed' as const, endpointId: 'e1' };
const query = { tokens: parseQuery('took>30s tag:"two words"', true).tokens, text: ' fog ' };
const sort = { column: 'execution' as const, isDescending: true };
const saved = { id: 'v1', name: 'Slow', ...viewOf(place, query, sort) };

test('a view saves the filter as it would be typed', () => {
  expect(saved).toMatchObject({
    view: 'failed',
    endpointId: 'e1',
    tokens: 'took>30s tag:"two words"',
    text: 'fog',
    sort,
  });
  expect(parseQuery(saved.tokens, true).tokens).toEqual(query.tokens);
  expect(viewOf({ ...place, batchId: 'b7' }, emptyQuery, null).tokens).toBe('batch:b7');
});

test('the list shows it only with the same filter and the same order', () => {
  expect(isViewOn(saved, place, { ...query, text: 'fog' }, { isDescending: true, column: 'execution' })).toBe(true);
  expect(isViewOn(saved, place, query, null)).toBe(false);
  expect(isViewOn(saved, { ...place, endpointId: null }, query, sort)).toBe(false);
  expect(isViewOn(saved, place, { ...query, tokens: query.tokens.slice(1) }, sort)).toBe(false);
});
