import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { EndpointCost } from '../../../../src-preload/cost.ts';
import type { JobDetail } from '../../../../src-preload/job.ts';
import { JobCostFacts } from '../../../../src-renderer/costs/job-cost.tsx';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { CostCell } from '../../../../src-renderer/jobs/own-cells.tsx';
import { aJob } from '../job/a-job.ts';

const cost: EndpointCost = {
  connectionId: 'c1',
  endpointId: 'text',
  rates: [{ sinceMs: 0, creditsPerHour: 2, source: { kind: 'typed' } }],
  limits: { perJob: null, perDay: null },
  limitsSinceMs: 0,
};

test('the cost of a running job does not grow while nothing is known of it, in its pane and in the list', () => {
  queries.setQueryData(['cost:list', { connectionId: null }], [cost]);
  for (const statusReadAtMs of [Date.now(), Date.now() - 3_600_000]) {
    // It had run for half an hour when the service last said so.
    const job = aJob({ startedSeenAtMs: statusReadAtMs - 1_800_000, statusReadAtMs });
    const detail: JobDetail = {
      job,
      attempts: [],
      webhook: null,
      waitMs: null,
      s3ProfileId: null,
      note: '',
      lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
      error: null,
      extraFields: {},
    };
    expect(renderToStaticMarkup(createElement(JobCostFacts, { detail, place: 'tab' }))).toContain(
      'about 1.00 credits so far',
    );
    expect(renderToStaticMarkup(createElement(CostCell, { job }))).toContain('>1.00<');
  }
});
