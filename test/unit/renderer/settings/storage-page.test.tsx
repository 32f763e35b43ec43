import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatClock } from '../../../../src-preload/format.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { StoragePage } from '../../../../src-renderer/settings/storage-page.tsx';

test('sizes that could not be measured again show how old they are', async () => {
  const measuredAtMs = Date.UTC(2026, 10, 1, 12);
  const use = { totalBytes: 9_000, bodyBytes: 4_000, streamBytes: 1_000, indexBytes: 500, freeBytes: 0 };
  const queryKey = ['storage:use', undefined];
  queries.setQueryData(queryKey, { ...use, isGivenBack: true }, { updatedAt: measuredAtMs });
  const shown = (): string => renderToStaticMarkup(createElement(StoragePage));
  expect(shown()).not.toContain('as of');
  const failure = { kind: 'storage', message: 'The disk does not answer.' };
  await expect(queries.fetchQuery({ queryKey, queryFn: () => Promise.reject(failure) })).rejects.toBe(failure);
  expect(shown()).toContain('The disk does not answer.');
  expect(shown()).toContain(`The sizes below are as of ${formatClock(measuredAtMs)}.`);
});
