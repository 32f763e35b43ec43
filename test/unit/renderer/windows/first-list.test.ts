import { describe, expect, it } from 'vitest';
import { jobToShow } from '../../../../src-renderer/windows/first-list.ts';

const first = { last: null, newestKey: 'newest', wasUsed: false, hasRoom: true };

describe('the job beside the first list', () => {
  it('is the newest, if there is one and room for it', () => {
    expect(jobToShow(first)).toEqual({ key: 'newest', how: 'opened' });
    expect(jobToShow({ ...first, newestKey: null })).toBeNull();
    expect(jobToShow({ ...first, hasRoom: false })).toBeNull();
  });

  it('is the one that was open when the window closed', () => {
    const last = { selectedKey: 'last', isDetailOpen: true };
    expect(jobToShow({ ...first, last })).toEqual({ key: 'last', how: 'opened' });
  });

  it('is only chosen if it was closed then, in a window of any width', () => {
    const last = { selectedKey: 'last', isDetailOpen: false };
    expect(jobToShow({ ...first, last })).toEqual({ key: 'last', how: 'chosen' });
    expect(jobToShow({ ...first, last, hasRoom: false })).toEqual({ key: 'last', how: 'chosen' });
    // No job was chosen then.
    const none = { selectedKey: null, isDetailOpen: false };
    expect(jobToShow({ ...first, last: none })).toEqual({ key: 'newest', how: 'opened' });
  });

  it('is none once the user has pressed anything', () => {
    const last = { selectedKey: 'last', isDetailOpen: false };
    expect(jobToShow({ ...first, wasUsed: true })).toBeNull();
    expect(jobToShow({ ...first, last, wasUsed: true })).toBeNull();
  });
});
