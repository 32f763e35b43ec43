import { describe, expect, it } from 'vitest';
import { previewParts } from '../../../../src-renderer/stream/chunk-preview.ts';

describe('the preview of a chunk', () => {
  it('marks matches, case-insensitively', () => {
    expect(previewParts('{"text":"An ant"}', 'an', 100)).toEqual([
      { text: '{"text":"', isMatch: false },
      { text: 'An', isMatch: true },
      { text: ' ', isMatch: false },
      { text: 'an', isMatch: true },
      { text: 't"}', isMatch: false },
    ]);
  });
  it('begins shortly before a match that is further back', () => {
    const [lead, match] = previewParts(`${'x'.repeat(500)}needle`, 'needle', 100);
    expect(lead).toEqual({ text: `…${'x'.repeat(12)}`, isMatch: false });
    expect(match).toEqual({ text: 'needle', isMatch: true });
  });
  it('is the beginning if nothing is searched for', () => {
    expect(previewParts('x'.repeat(500), '', 10)).toEqual([{ text: 'x'.repeat(10), isMatch: false }]);
  });
});
