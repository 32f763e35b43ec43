import { expect, it } from 'vitest';
import { clockDoubtWords } from '../../../../src-renderer/messages/settings/storage.tsx';
import { dayMs } from '../../../../src-preload/durations.ts';

const nowMs = new Date(2099, 2, 3, 12).getTime();

it.each([
  [
    { kind: 'moved-ahead', byMs: 73 * 365.25 * dayMs, nowMs },
    'The clock of this computer moved ahead by 73 years',
    'It shows 3 March 2099. Nothing is deleted until an answer of a service confirms this date. If it is right, you can delete now.',
  ],
  [
    { kind: 'ahead-of-service', byMs: 20 * dayMs, nowMs },
    'The clock of this computer is 20 days ahead of the service',
    'It shows 3 March 2099. Nothing is deleted until the two agree. Set the date of this computer, then restart Jobdeck.',
  ],
  [
    { kind: 'behind', byMs: dayMs, nowMs },
    'The clock of this computer is behind by 1 day',
    'It shows 3 March 2099. Nothing is deleted until it is right again. Set the date of this computer.',
  ],
] as const)('a doubted clock (%j) is described by its error and by what ends the doubt', (doubt, title, text) => {
  expect(clockDoubtWords(doubt)).toEqual({ title, text });
});
