import { expect, test } from 'vitest';
import { columnMenu } from '../../../../src-renderer/jobs/column-heads.tsx';

function labelsOf(...of: Parameters<typeof columnMenu>): string[] {
  return columnMenu(...of).flatMap((entry) => ('label' in entry ? [entry.label] : []));
}

test('a column is filtered by both bounds of a range, and by the p95 of one endpoint', () => {
  expect(labelsOf('execution', null, 39_120)).toEqual([
    'Execution',
    'Longest first',
    'Shortest first',
    'Only over p95',
    'Filter by took>',
    'Filter by took<',
    'Fit to content',
    'Hide column',
  ]);
  expect(columnMenu('wait', null, 50).find((entry) => 'note' in entry)).toMatchObject({ note: '0.05 s' });
  expect(labelsOf('cost', null, null)).not.toContain('Only over p95');
  expect(columnMenu('execution', null, null).find((entry) => 'disabledReason' in entry)).toMatchObject({
    label: 'Only over p95',
    disabledReason: 'Only for one endpoint with 5 runs or more',
  });
  expect(labelsOf('age', null, null)).toEqual(expect.arrayContaining(['Filter by after:', 'Filter by before:']));
  expect(labelsOf('title', null, null)).toEqual(['Job', 'Z to A', 'A to Z']);
});
