import { expect, it } from 'vitest';
import { withOwnFields } from '../../../src-main/history/own-fields.ts';
import { aJob } from '../../kit/a-job.ts';

it('the user’s fields stay as saved, whatever the engine knew of them', () => {
  const kept = aJob({ title: 'renamed', isStarred: true, isSeen: true, tags: ['eval'], mark: 5 });
  const known = aJob({ title: 'made from the input', phase: 'finished', status: 'FAILED' });
  expect(withOwnFields(known, kept)).toEqual({ ...kept, phase: 'finished', status: 'FAILED' });
});

it('a new attempt is not seen yet, even if the one before was', () => {
  const kept = aJob({ isSeen: true, attempt: 1 });
  expect(withOwnFields(aJob({ attempt: 2 }), kept).isSeen).toBe(false);
  expect(withOwnFields(aJob({ attempt: 2 }), { ...kept, attempt: 2 }).isSeen).toBe(true);
});
