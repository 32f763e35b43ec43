import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NoOutput } from '../../../../../src-renderer/job/output/no-output.tsx';
import { aJob, anAttempt } from '../a-job.ts';

/** The Output tab of a job that completed without output that long ago, in minutes. */
function shownAfter(minutes: number): string {
  const finishedSeenAtMs = Date.now() - minutes * 60_000;
  const job = aJob({ phase: 'finished', status: 'COMPLETED', isWithoutOutput: true, finishedSeenAtMs });
  const attempt = anAttempt({ status: 'COMPLETED', errorText: null, finishedSeenAtMs });
  return renderToStaticMarkup(createElement(NoOutput, { job, attempt }));
}

test('a job without output says that Jobdeck saves one that comes late, while the service may still have it', () => {
  const late = 'If it comes, Jobdeck saves it';
  expect(shownAfter(1)).toContain('Completed, no output returned');
  expect(shownAfter(1)).toContain(late);
  expect(shownAfter(31)).toContain('Completed, no output returned');
  expect(shownAfter(31)).not.toContain(late);
});

test('a job without output offers to check the service now, for as long as one may come', () => {
  expect(shownAfter(1)).toMatch(/<button[^>]*>(?:<[^>]+>)*Check now/);
  expect(shownAfter(31)).not.toContain('<button');
});
