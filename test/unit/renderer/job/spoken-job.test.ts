import { describe, expect, it } from 'vitest';
import { spokenChange, type SpokenState } from '../../../../src-renderer/job/spoken-job.tsx';

const queued: SpokenState = { kind: 'queue', word: 'In queue', attempt: 1, ranMs: null, hasOutput: false };
const running: SpokenState = { ...queued, kind: 'run', word: 'In progress' };
const streaming: SpokenState = { ...running, hasOutput: true };
const done: SpokenState = { ...streaming, kind: 'done', word: 'Completed', ranMs: 12_400 };

describe('what a screen reader says of the job in view', () => {
  it.each([
    ['a job that begins to run', queued, running, 'In progress'],
    ['its first chunk', running, streaming, 'Output started'],
    ['both in one answer', queued, streaming, 'In progress. Output started'],
    ['its end, with how long it ran', streaming, done, 'Completed after 12.4 s'],
    ['an end that comes with all of its output', running, done, 'Completed after 12.4 s'],
    ['an end without a time', running, { ...running, kind: 'fail', word: 'Failed' }, 'Failed'],
    ['a retry', done, { ...queued, attempt: 2 }, 'Attempt 2: In queue'],
  ] as const)('%s', (_case, before, now, said) => expect(spokenChange(before, now)).toBe(said));

  it.each([
    ['more chunks', streaming, streaming],
    ['an output that is read after the end', { ...done, hasOutput: false }, done],
    ['a time that the service reports later', { ...done, ranMs: null }, done],
  ] as const)('nothing for %s', (_case, before, now) => expect(spokenChange(before, now)).toBeNull());
});
