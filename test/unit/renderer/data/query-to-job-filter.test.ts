import { describe, expect, test } from 'vitest';
import {
  anyConnection,
  emptyQuery,
  queriesWithoutOnePart,
  parseQuery,
} from '../../../../src-renderer/data/parse-filter.ts';
import { resolveEndpoint, toJobFilter } from '../../../../src-renderer/data/query-to-job-filter.ts';
import { suggest } from '../../../../src-renderer/jobs/filter-suggestions.ts';

const connection = {
  id: 'c1',
  endpoints: [
    { id: 'vq8x2k4m1dzt0p', label: 'llama-70b-chat', flavour: 'text' as const },
    { id: 'sdxl-turbo', label: '', flavour: 'image' as const },
  ],
};

const known = { connection, batches: [{ id: 'b7', name: 'Nightly eval' }] };

describe('the filter sent to the engine', () => {
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

  test('connection:any finds all saved jobs, even of removed connections', () => {
    const { tokens, text } = parseQuery('connection:ANY fog', true);
    expect([tokens, text]).toEqual([[anyConnection], 'fog']);
    expect(toJobFilter({ view: 'all', endpointId: null }, { tokens, text }, known, now)).toMatchObject({
      connectionId: null,
      text: 'fog',
    });
    expect(parseQuery('connection:c1', true).tokens).toEqual([]);
    expect(suggest('connection:').map(({ completed }) => completed)).toEqual(['connection:any ']);
  });

  test('orphaned jobs are searched in all connections: theirs is gone', () => {
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

  test('tokens and text go to their fields, the text trimmed', () => {
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

  test('figures, ids, batches and facts of a job go to theirs', () => {
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

test('loosening removes one part at a time', () => {
  const query = {
    tokens: [
      { field: 'status' as const, value: 'timed_out' },
      { field: 'endpoint' as const, value: 'sdxl-turbo' },
    ],
    text: 'fog',
  };
  const ways = queriesWithoutOnePart(query);
  expect(ways.map((way) => way.token?.field ?? way.text)).toEqual(['status', 'endpoint', 'fog']);
  expect(ways[0]?.query).toEqual({ tokens: [{ field: 'endpoint', value: 'sdxl-turbo' }], text: 'fog' });
  expect(ways[2]?.query).toEqual({ tokens: query.tokens, text: '' });
});
