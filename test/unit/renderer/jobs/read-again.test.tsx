import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyFilter, type JobFilter } from '../../../../src-preload/history.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { JobListView } from '../../../../src-renderer/jobs/job-list-view.tsx';
import { withStore } from '../../../kit/with-store.ts';

/** Whether the list that shows the rows of one filter says that those of the other one are still awaited. */
function isBusy(shownFilter: JobFilter, filter: JobFilter): boolean {
  const list = createElement(JobListView, { form: 'comfortable', columns: [], menuOf: () => [] });
  const markup = withStore(useJobs, { status: 'ready', shownFilter, filter }, () => renderToStaticMarkup(list));
  expect(markup).toContain('aria-busy=');
  return markup.includes('aria-busy="true"');
}

test('a list that is read again with the same filter shows rows of that filter, and says nothing else', () => {
  expect(isBusy(emptyFilter, structuredClone(emptyFilter))).toBe(false);
  expect(isBusy(emptyFilter, { ...emptyFilter, view: 'failed' })).toBe(true);
});
