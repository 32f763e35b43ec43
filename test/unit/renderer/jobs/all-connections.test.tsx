import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { endpointKey } from '../../../../src-preload/endpoint-key.ts';
import { emptyFilter, type RunTimes } from '../../../../src-preload/history.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { JobListView } from '../../../../src-renderer/jobs/job-list-view.tsx';
import { withStore } from '../../../kit/with-store.ts';
import { jobOf } from './job-of.ts';
import { aConnection } from '../../../kit/a-connection.ts';

const runTimes: RunTimes = {
  endpointId: 'image',
  count: 20,
  executionP50Ms: 1_000,
  executionP95Ms: 4_000,
  delayP95Ms: null,
};

function connection(id: string, label: string): Connection {
  return aConnection({ id, name: id, endpoints: [{ id: 'image', label, flavour: 'image' }] });
}

/** The rows of the list, as markup, in the order of the list. */
function rows(): string[] {
  const session = {
    connections: [connection('c1', 'Studio'), connection('c2', 'Print shop')],
    settings: { ...settingsDefaults, currentConnectionId: 'c1' },
    runTimes: { [endpointKey({ connectionId: 'c1', endpointId: 'image' })]: runTimes },
    runTimesOf: 'c1',
  };
  const list = createElement(JobListView, { form: 'comfortable', columns: [], menuOf: () => [] });
  const nowMs = Date.now();
  const of = (connectionId: string, agoMs: number) => jobOf(nowMs - agoMs, { connectionId, endpointId: 'image' });
  useJobs.getState().apply([of('c1', 1_000), of('c2', 2_000)]);
  const known = {
    status: 'ready',
    shownFilter: emptyFilter,
    filter: emptyFilter,
    list: useJobs.getState().list,
  } as const;
  const markup = withStore(useSession, session, () => withStore(useJobs, known, () => renderToStaticMarkup(list)));
  return markup.split('role="option"').slice(1);
}

test('a job of another connection is shown with its own endpoint, and without the run times of the current one', () => {
  const [ofCurrent = '', ofOther = ''] = rows();
  expect(ofCurrent).toContain('Studio');
  expect(ofCurrent).toContain('p95');
  expect(ofOther).toContain('Print shop');
  expect(ofOther).not.toContain('p95');
});
