import { describe, expect, it } from 'vitest';
import { preparationText } from '../../../../src-renderer/windows/preparation-page.tsx';

describe('what a window says while the history is prepared', () => {
  it('is how many jobs it is about, and what becomes of the window', () => {
    expect(preparationText({ kind: 'upgrade', jobs: 1_000_000 })).toEqual({
      title: 'Bringing your history up to date',
      text: '1,000,000 saved jobs are fitted to this version of Jobdeck, once. The list appears here by itself, and jobs are followed again from then on.',
    });
    expect(preparationText({ kind: 'upgrade', jobs: 1 }).text).toContain('1 saved job is fitted');
    expect(preparationText({ kind: 'check', jobs: 12 }).text).toContain('12 saved jobs are read through');
  });

  it('names no number where the jobs cannot be counted', () => {
    expect(preparationText({ kind: 'upgrade', jobs: null }).text).toMatch(/^Your saved jobs are fitted/);
    expect(preparationText({ kind: 'check', jobs: null }).text).toContain('all of it is read through');
  });
});
