import { describe, expect, it } from 'vitest';
import { preparationText } from '../../../../src-renderer/messages/windows/states.tsx';

describe('the window’s text while the history is prepared', () => {
  it('says how many jobs it is about, and what happens to the window', () => {
    expect(preparationText({ kind: 'upgrade', jobs: 1_000_000 })).toEqual({
      title: 'Bringing your history up to date',
      text:
        'Updating 1,000,000 saved jobs for this version. The list appears when this is finished, and tracking ' +
        'resumes.',
    });
    expect(preparationText({ kind: 'upgrade', jobs: 1 }).text).toContain('Updating 1 saved job for');
    expect(preparationText({ kind: 'check', jobs: 12 }).text).toContain('checks 12 saved jobs before');
  });

  it('has no number if the jobs cannot be counted', () => {
    expect(preparationText({ kind: 'upgrade', jobs: null }).text).toMatch(/^Updating your saved jobs/);
    expect(preparationText({ kind: 'check', jobs: null }).text).toContain('checks the whole history before');
  });
});
