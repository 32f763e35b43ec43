import { describe, expect, test } from 'vitest';
import { resolveEndpoint, toJobFilter } from '../../../../src-renderer/data/query-to-job-filter.ts';
import {
  addTokens,
  anyConnection,
  emptyQuery,
  loosenings,
  parseQuery,
  queryProblem,
  searchedText,
  tokenText,
} from '../../../../src-renderer/data/parse-filter.ts';
import { fieldBeingTyped, suggest } from '../../../../src-renderer/jobs/filter-suggestions.ts';

const connection = {
  id: 'c1',
  endpoints: [
    { id: 'vq8x2k4m1dzt0p', label: 'llama-70b-chat', flavour: 'text' as const },
    { id: 'sdxl-turbo', label: '', flavour: 'image' as const },
  ],
};

const known = { connection, batches: [{ id: 'b7', name: 'Nightly eval' }] };

describe('reading the filter box', () => {
  test('a token counts once a space follows it, and what is left stays text', () => {
    expect(parseQuery('status:failed', false)).toEqual({ tokens: [], text: 'status:failed' });
    expect(parseQuery('status:failed fog', false)).toEqual({
      tokens: [{ field: 'status', value: 'failed' }],
      text: 'fog',
    });
    expect(parseQuery('status:failed', true)).toEqual({ tokens: [{ field: 'status', value: 'failed' }], text: '' });
  });

  test('several tokens in one go, wherever they stand', () => {
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

  test('what is no token stays text', () => {
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

  test('a token that is not finished is not searched for, the words before it are', () => {
    for (const token of [
      'status:',
      'status:fail',
      'tag:',
      '-tag:',
      'endpoint:"llama 7',
      'SINCE:to',
      'after:2026-1',
      'took>3',
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

  test('a finished token that says nothing is named, and how it is written', () => {
    expect(queryProblem('status:fai', false)).toBeNull();
    expect(queryProblem('status:fai ', false)).toBe('"fai" is not a status, and is ignored. Write status:failed.');
    expect(queryProblem('took>fast', true)).toBe('"fast" is not a time, and is ignored. Write took>30s or took<2m.');
    expect(queryProblem('after:2026-13-01', true)).toBe(
      '"2026-13-01" is not a time, and is ignored. Write after:today, after:7d or after:2026-11-01.',
    );
    expect(queryProblem('fog status:failed http://a.b', true)).toBeNull();
  });

  test('statuses may be typed in any case; tags keep theirs', () => {
    expect(parseQuery('status:TIMED_OUT tag:OnCall', true).tokens).toEqual([
      { field: 'status', value: 'timed_out' },
      { field: 'tag', value: 'OnCall' },
    ]);
  });

  test('a second endpoint or moment replaces the first; a token twice stands once', () => {
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
});

describe('the filter the engine is asked with', () => {
  const now = new Date(2025, 10, 20, 14, 30).getTime();

  test('an endpoint may be named by id, label or beginning; an unknown one is sent as typed', () => {
    expect(resolveEndpoint('vq8x2k4m1dzt0p', connection)).toBe('vq8x2k4m1dzt0p');
    expect(resolveEndpoint('LLAMA-70b-chat', connection)).toBe('vq8x2k4m1dzt0p');
    expect(resolveEndpoint('sdx', connection)).toBe('sdxl-turbo');
    expect(resolveEndpoint('nothing', connection)).toBe('nothing');
  });

  test('an endpoint token wins over the sidebar', () => {
    const place = { view: 'failed' as const, endpointId: 'sdxl-turbo' };
    expect(toJobFilter(place, emptyQuery, known, now)).toMatchObject({
      view: 'failed',
      connectionId: 'c1',
      endpointId: 'sdxl-turbo',
    });
    expect(
      toJobFilter(place, { tokens: [{ field: 'endpoint', value: 'llama-70b-chat' }], text: '' }, known, now).endpointId,
    ).toBe('vq8x2k4m1dzt0p');
  });

  test('connection:any asks for whatever is saved, also of connections that are gone', () => {
    const { tokens, text } = parseQuery('connection:ANY fog', true);
    expect([tokens, text]).toEqual([[anyConnection], 'fog']);
    expect(toJobFilter({ view: 'all', endpointId: null }, { tokens, text }, known, now)).toMatchObject({
      connectionId: null,
      text: 'fog',
    });
    expect(parseQuery('connection:c1', true).tokens).toEqual([]);
    expect(suggest('connection:').map(({ completed }) => completed)).toEqual(['connection:any ']);
  });

  test('jobs that were orphaned are looked for in all connections: theirs is gone', () => {
    const asked = (...values: string[]): string | null =>
      toJobFilter(
        { view: 'all', endpointId: null },
        { tokens: values.map((value) => ({ field: 'status' as const, value })), text: '' },
        known,
        now,
      ).connectionId;
    expect(asked('orphaned')).toBeNull();
    expect(asked('orphaned', 'failed')).toBe('c1');
    expect(suggest('status:').map(({ label }) => label)).toContain('orphaned');
  });

  test('a mark is a word or a number; anything else after mark: is text, and a label keeps its case', () => {
    expect(parseQuery('mark:GOOD label:"Wide angle" mark:6 x', true)).toEqual({
      tokens: [
        { field: 'mark', value: 'good' },
        { field: 'label', value: 'Wide angle' },
      ],
      text: 'mark:6 x',
    });
    expect(suggest('mark:b').map(({ completed }) => completed)).toEqual(['mark:bad ']);
  });

  test('tokens and text land in their fields, the text trimmed', () => {
    const query = {
      tokens: [
        { field: 'status' as const, value: 'failed' },
        { field: 'tag' as const, value: 'a' },
        { field: '-tag' as const, value: 'b' },
        { field: 'mark' as const, value: 'good' },
        { field: 'mark' as const, value: '5' },
        { field: 'mark' as const, value: 'none' },
        { field: 'label' as const, value: 'Wide angle' },
        { field: 'after' as const, value: 'today' },
      ],
      text: ' fog  ',
    };
    expect(toJobFilter({ view: 'all', endpointId: null }, query, { connection: null, batches: [] }, now)).toEqual({
      view: 'all',
      connectionId: null,
      endpointId: null,
      statuses: ['failed'],
      tags: ['a'],
      notTags: ['b'],
      marks: [4, 5, 0],
      labels: ['Wide angle'],
      sinceMs: new Date(2025, 10, 20).getTime(),
      beforeMs: null,
      took: null,
      waited: null,
      cost: null,
      idStart: null,
      has: [],
      cause: null,
      sameInput: null,
      text: 'fog',
      batchId: null,
    });
  });

  test('figures, ids, batches and what a job has land in theirs', () => {
    const { tokens } = parseQuery(
      'took>30s took<2m waited<500ms cost>.5 id:a1b2 batch:nightly has:error has:IMAGES ',
      true,
    );
    expect(toJobFilter({ view: 'all', endpointId: null }, { tokens, text: '' }, known, now)).toMatchObject({
      took: { over: 30_000, under: 120_000 },
      waited: { over: null, under: 500 },
      cost: { over: 0.5, under: null },
      idStart: 'a1b2',
      batchId: 'b7',
      has: ['images', 'error'],
    });
  });

  test('since: of former versions is read as after:', () => {
    expect(parseQuery('since:week since:hour', true).tokens).toEqual([
      { field: 'after', value: '7d' },
      { field: 'after', value: '1h' },
    ]);
  });
});

test('loosening takes one part away at a time', () => {
  const query = {
    tokens: [
      { field: 'status' as const, value: 'timed_out' },
      { field: 'endpoint' as const, value: 'sdxl-turbo' },
    ],
    text: 'fog',
  };
  const ways = loosenings(query);
  expect(ways.map((way) => way.token?.field ?? way.text)).toEqual(['status', 'endpoint', 'fog']);
  expect(ways[0]?.query).toEqual({ tokens: [{ field: 'endpoint', value: 'sdxl-turbo' }], text: 'fog' });
  expect(ways[2]?.query).toEqual({ tokens: query.tokens, text: '' });
});

describe('suggestions', () => {
  const endpoints = [
    { value: 'llama-70b-chat', note: 'vq8x2k4m1dzt0p' },
    { value: 'two words', note: '' },
  ];

  test('field names from the second letter on, values after the colon', () => {
    expect(suggest('s', { endpoints })).toEqual([]);
    expect(suggest('st', { endpoints }).map((one) => one.label)).toEqual(['status:']);
    expect(suggest('to', { endpoints }).map((one) => one.label)).toEqual(['took>', 'took<']);
    expect(suggest('has:', { endpoints }).map((one) => one.label)).toEqual(['images', 'error', 'stream']);
    expect(suggest('batch:n', { batches: [{ value: 'Nightly eval', note: '' }] })[0]?.completed).toBe(
      'batch:"Nightly eval" ',
    );
    expect(suggest('status:ed', { endpoints }).map((one) => one.label)).toContain('completed');
    expect(suggest('status:f', { endpoints }).map((one) => one.label)).toEqual(['failed', 'refused']);
    expect(suggest('fog status:fa', { endpoints })).toEqual([
      { label: 'failed', note: '', completed: 'fog status:failed ', isWhole: true },
    ]);
  });

  test('tags, labels and bounds of figures are offered, also behind a minus and in open quotes', () => {
    const tags = [
      { value: 'nightly', note: '12 jobs' },
      { value: 'night shift', note: '3 jobs' },
    ];
    expect(suggest('fog tag:ni', { tags })).toEqual([
      { label: 'nightly', note: '12 jobs', completed: 'fog tag:nightly ', isWhole: true },
      { label: 'night shift', note: '3 jobs', completed: 'fog tag:"night shift" ', isWhole: true },
    ]);
    expect(suggest('-tag:', { tags }).map((one) => one.completed)).toEqual(['-tag:nightly ', '-tag:"night shift" ']);
    expect(suggest('tag:"night s', { tags })[0]?.completed).toBe('tag:"night shift" ');
    expect(suggest('label:S', { labels: [{ value: 'sharp', note: '' }] })[0]?.completed).toBe('label:sharp ');
    expect(suggest('took>').map((one) => one.completed)).toContain('took>30s ');
    expect(suggest('waited<1').map((one) => one.completed)).toContain('waited<1m ');
    expect(suggest('COST>0.').map((one) => one.completed)).toEqual(['cost>0.01 ', 'cost>0.1 ']);
    expect(['tag:x', 'fog -tag:"a b', 'took>3', 'fog'].map(fieldBeingTyped)).toEqual(['tag', '-tag', 'took', null]);
  });

  test('a cause is offered by its message and asked for by its number', () => {
    const causes = [{ value: '12', name: 'CUDA out of memory', note: '3 jobs' }];
    expect(suggest('cause:mem', { causes })).toEqual([
      { label: 'CUDA out of memory', note: '3 jobs', completed: 'cause:12 ', isWhole: true },
    ]);
    const { tokens } = parseQuery('cause:12 cause:"out of memory"', true);
    expect(toJobFilter({ view: 'all', endpointId: null }, { tokens, text: '' }, known, 0).cause).toBe('out of memory');
    expect(addTokens(tokens.slice(0, 1), tokens.slice(1))).toEqual([{ field: 'cause', value: 'out of memory' }]);
  });

  test('a value in quotes is not taken before its quote is closed', () => {
    expect(parseQuery('batch:"nightly ', false)).toEqual({ tokens: [], text: 'batch:"nightly ' });
    expect(searchedText('fog batch:"nightly ev', false)).toBe('fog ');
    expect(parseQuery('batch:"nightly ev" ', false).tokens).toEqual([{ field: 'batch', value: 'nightly ev' }]);
  });

  test('a completed suggestion reads back as the token it names', () => {
    for (const { completed } of suggest('endpoint:w', { endpoints }))
      expect(parseQuery(completed, false).tokens).toEqual([{ field: 'endpoint', value: 'two words' }]);
    expect(suggest('endpoint:w', { endpoints })).toHaveLength(1);
  });

  test('plain words and addresses suggest nothing', () => {
    expect(suggest('board', { endpoints })).toEqual([]);
    expect(suggest('took>fast', { endpoints })).toEqual([]);
    expect(suggest('http://', { endpoints })).toEqual([]);
  });
});
