import { describe, expect, test } from 'vitest';
import {
  addTokens,
  parseQuery,
  queryProblem,
  searchedText,
  tokenText,
} from '../../../../src-renderer/data/parse-filter.ts';

const problem = (typed: string, isFinal: boolean): string => {
  const found = queryProblem(typed, isFinal);
  return `${found?.text} ${found?.form}`;
};

describe('reading the filter box', () => {
  test('a token counts once a space follows it, and the rest stays text', () => {
    expect(parseQuery('status:failed', false)).toEqual({ tokens: [], text: 'status:failed' });
    expect(parseQuery('status:failed fog', false)).toEqual({
      tokens: [{ field: 'status', value: 'failed' }],
      text: 'fog',
    });
    expect(parseQuery('status:failed', true)).toEqual({ tokens: [{ field: 'status', value: 'failed' }], text: '' });
  });

  test('several tokens at the same time, in any position', () => {
    expect(parseQuery('fog -tag:smoke endpoint:sdxl-turbo after:today ridge', true)).toEqual({
      tokens: [
        { field: '-tag', value: 'smoke' },
        { field: 'endpoint', value: 'sdxl-turbo' },
        { field: 'after', value: 'today' },
      ],
      text: 'fog ridge',
    });
  });

  test('quotes keep spaces in a value', () => {
    expect(parseQuery('tag:"seed 902" ', false)).toEqual({ tokens: [{ field: 'tag', value: 'seed 902' }], text: '' });
    expect(tokenText({ field: 'tag', value: 'seed 902' })).toBe('tag:"seed 902"');
    expect(parseQuery(tokenText({ field: 'tag', value: 'seed 902' }), true).tokens).toEqual([
      { field: 'tag', value: 'seed 902' },
    ]);
  });

  test('text that is not a token stays text', () => {
    for (const text of [
      'status:nonsense',
      'after:1999',
      'took>fast',
      'has:nothing',
      'http://example.test/a',
      'nostatus:failed',
      'tag:',
    ]) {
      expect(parseQuery(text, true)).toEqual({ tokens: [], text });
    }
  });

  test('an unfinished token is not searched for, the words before it are', () => {
    for (const token of [
      'status:',
      'status:fail',
      'tag:',
      '-tag:',
      'endpoint:"llama 7',
      'SINCE:to',
      'after:2026-1',
      'took>3',
      'took:',
      'took:3',
      'cost:>',
      'cost<',
      'has:im',
      'connection:',
    ])
      expect([searchedText(token, false), searchedText(`fog ${token}`, false)]).toEqual(['', 'fog ']);
    for (const text of ['http://example.test/a', 'nostatus:', 'status: fog', 'fog ridge'])
      expect(searchedText(text, false)).toBe(text);
    expect(searchedText('fog tag:', true)).toBe('fog ');
    expect(searchedText('fog status:nonsense ridge', true)).toBe('fog  ridge');
    expect(searchedText('fog took>fast', true)).toBe('fog ');
  });

  test('a finished but invalid token is named, with its correct form', () => {
    expect(queryProblem('status:fai', false)).toBeNull();
    expect(problem('status:fai ', false)).toBe('"fai" is not a status, and is ignored. Write status:failed.');
    expect(problem('took>fast', true)).toBe('"fast" is not a time, and is ignored. Write took>30s or took<2m.');
    expect(problem('after:2026-13-01', true)).toBe(
      '"2026-13-01" is not a time, and is ignored. Write after:today, after:7d or after:2026-11-01.',
    );
    expect(queryProblem('fog status:failed http://a.b', true)).toBeNull();
    expect(problem('took:30s ', false)).toBe('took:30s is ignored. Write took>30s or took<30s.');
    expect(problem('fog cost:0.5', true)).toBe('cost:0.5 is ignored. Write cost>0.5 or cost<0.5.');
    expect(searchedText('fog took:30s ridge', false)).toBe('fog  ridge');
  });

  test('a colon before the sign of a figure is read as well', () => {
    expect(parseQuery('took:>30s cost:<.5 waited>1m', true).tokens).toEqual([
      { field: 'took', value: '>30s' },
      { field: 'cost', value: '<.5' },
      { field: 'waited', value: '>1m' },
    ]);
  });

  test('statuses may be typed in any case; tags keep theirs', () => {
    expect(parseQuery('status:TIMED_OUT tag:OnCall', true).tokens).toEqual([
      { field: 'status', value: 'timed_out' },
      { field: 'tag', value: 'OnCall' },
    ]);
  });

  test('a second endpoint or time replaces the first; a repeated token appears once', () => {
    const tokens = addTokens(
      [
        { field: 'endpoint', value: 'a' },
        { field: 'tag', value: 'x' },
      ],
      [
        { field: 'endpoint', value: 'b' },
        { field: 'tag', value: 'x' },
        { field: 'tag', value: 'y' },
      ],
    );
    expect(tokens).toEqual([
      { field: 'endpoint', value: 'b' },
      { field: 'tag', value: 'x' },
      { field: 'tag', value: 'y' },
    ]);
  });

  test('a figure has one lower and one upper bound', () => {
    const [over, under, other] = [
      { field: 'took', value: '>30s' },
      { field: 'took', value: '<2m' },
      { field: 'took', value: '>10s' },
    ] as const;
    expect(addTokens([over], [under])).toEqual([over, under]);
    expect(addTokens([over, under], [other])).toEqual([under, other]);
    expect(addTokens([over], [{ field: 'waited', value: '>10s' }])).toHaveLength(2);
  });
});
