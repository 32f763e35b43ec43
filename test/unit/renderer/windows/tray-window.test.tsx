import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { noJobs } from '../../../../src-preload/history.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { TrayWindow } from '../../../../src-renderer/windows/tray-window.tsx';
import { withStore } from '../../../kit/with-store.ts';

/** What the popover says without any job, in this state of its list and with or without counts. */
function said(status: 'ready' | 'failed', isCounted: boolean): string {
  const problem = status === 'failed' ? ({ kind: 'storage', message: 'The disk does not answer.' } as const) : null;
  const all = { ...noJobs, byEndpoint: {} };
  const counts = isCounted ? { revision: 1, all, byConnection: {}, savedBytes: 0 } : null;
  return withStore(useSession, { counts }, () =>
    withStore(useJobs, { status, problem }, () => renderToStaticMarkup(createElement(TrayWindow))),
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('the popover shows no zeros and no empty list if counts and jobs could not be read', () => {
  expect(said('failed', false)).toMatch(/running – queued – finished today – unseen failures –/);
  expect(said('failed', false)).toMatch(/Could not read the jobs The disk does not answer\. .*Try again/);
  expect(said('failed', false)).not.toContain('No jobs yet');
  // What could be read is shown.
  expect(said('failed', true)).toMatch(/running 0 queued 0 .*Could not read the jobs/);
  expect(said('ready', false)).toMatch(/running – .*No jobs yet/);
  expect(said('ready', true)).toMatch(/running 0 queued 0 finished today 0 unseen failures 0 .*No jobs yet/);
});
