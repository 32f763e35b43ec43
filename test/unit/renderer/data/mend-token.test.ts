import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mendedToken } from '../../../../src-renderer/data/mend-token.ts';
import { mendedQuery, parseQuery, tokenText, type FilterToken } from '../../../../src-renderer/data/parse-filter.ts';

test.each([
  ['status', 'faild', 'failed'],
  ['status', 'complete', 'completed'],
  ['status', 'done', 'completed'],
  ['status', 'timed-out', 'timed_out'],
  ['status', 'canceled', 'cancelled'],
  ['has', 'image', 'images'],
  ['mark', 'goood', 'good'],
  ['after', 'lastweek', '7d'],
  ['after', '3days', '3d'],
  ['before', '2026.11.01', '2026-11-01'],
  ['after', 'yestrday', 'yesterday'],
  ['took', '30s', '>30s'],
  ['took', '>30sec', '>30s'],
  ['waited', '<2mins', '<2m'],
  ['cost', '>0,5', '>0.5'],
  ['connection', 'all', 'any'],
] as const)('%s:%s is mended to %s', (field, value, meant) => {
  expect(mendedToken({ field, value })).toEqual({ field, value: meant });
});

test.each([
  ['status', 'nonsense'],
  ['status', 'xx'],
  ['after', '1999'],
  ['took', '>fast'],
  ['has', 'nothing'],
] as const)('nothing is like %s:%s', (field, value) => {
  expect(mendedToken({ field, value })).toBeNull();
});

test('what is mended is always read as the token that it says', () => {
  const fields = fc.constantFrom<FilterToken['field']>(
    'status',
    'has',
    'mark',
    'connection',
    'after',
    'before',
    'took',
    'cost',
  );
  const values = fc.oneof(
    fc.stringMatching(/^[a-z0-9<>._-]{1,12}$/),
    fc.constantFrom('lastmonth', '2weeks', 'failing', 'in-queue', '9999months', '>1hr', '<90minutes'),
  );
  fc.assert(
    fc.property(fields, values, (field, value) => {
      const mended = mendedToken({ field, value });
      if (mended !== null) expect(parseQuery(`${tokenText(mended)} `, false).tokens).toEqual([mended]);
    }),
  );
});

test('the first invalid token of a text is mended, and the rest of it stays', () => {
  expect(mendedQuery('fog after:lastweek ridge has:nope ', false, mendedToken)).toEqual({
    token: { field: 'after', value: '7d' },
    typed: 'fog ridge has:nope ',
  });
  expect(mendedQuery('fog status:faild', false, mendedToken)).toBeNull();
  expect(mendedQuery('fog status:faild', true, mendedToken)?.token).toEqual({ field: 'status', value: 'failed' });
  expect(mendedQuery('has:nothing after:lastweek ', false, mendedToken)).toBeNull();
  expect(mendedQuery('fog status:failed ', false, mendedToken)).toBeNull();
});
