import { describe, expect, test } from 'vitest';
import { addTokens, parseQuery, searchedText } from '../../../../src-renderer/data/parse-filter.ts';
import { toJobFilter } from '../../../../src-renderer/data/query-to-job-filter.ts';
import { fieldBeingTyped, mayBecomeField, suggest } from '../../../../src-renderer/jobs/filter-suggestions.ts';

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

  test('tags, labels and bounds of figures are offered, even after a minus and in open quotes', () => {
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

  test('within quoted words nothing is offered, after them it is', () => {
    expect(suggest('"a st')).toEqual([]);
    expect(suggest('fog "status:f')).toEqual([]);
    expect(suggest('"a status" st').map((one) => one.completed)).toEqual(['"a status" status:']);
    expect(['"a st', '"a" st', 'tag:"a b" st'].map(mayBecomeField)).toEqual([false, true, true]);
  });

  test('a cause is offered by its message and filtered by its number', () => {
    const causes = [{ value: '12', name: 'CUDA out of memory', note: '3 jobs' }];
    expect(suggest('cause:mem', { causes })).toEqual([
      { label: 'CUDA out of memory', note: '3 jobs', completed: 'cause:12 ', isWhole: true },
    ]);
    const { tokens } = parseQuery('cause:12 cause:"out of memory"', true);
    expect(
      toJobFilter({ view: 'all', endpointId: null }, { tokens, text: '' }, { connection: null, batches: [] }, 0).cause,
    ).toBe('out of memory');
    expect(addTokens(tokens.slice(0, 1), tokens.slice(1))).toEqual([{ field: 'cause', value: 'out of memory' }]);
  });

  test('a value in quotes is not read before its quote is closed', () => {
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
