import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { endpointKey } from '../../../../../src-preload/endpoint-key.ts';
import { emptyDraft } from '../../../../../src-renderer/composer/composer-draft.ts';
import { GridSection } from '../../../../../src-renderer/composer/variables/grid-section.tsx';
import { queries } from '../../../../../src-renderer/data/calls.ts';
import { useSession, type SessionState } from '../../../../../src-renderer/data/session-store.ts';
import { withStore } from '../../../../kit/with-store.ts';

const runTimes = { endpointId: 'text', count: 20, executionP50Ms: 60_000, executionP95Ms: 90_000, delayP95Ms: null };

/** What the grid of eight jobs says of their cost and duration, without tags. */
function said(known: Partial<SessionState>): string {
  const plan = { placeholders: [], used: [], jobs: 8, problem: null, growthBytes: 0 };
  const draft = emptyDraft('c1', 'text');
  const grid = createElement(GridSection, { draft, plan, index: 0, onIndex: () => {}, onChange: () => {} });
  return withStore(useSession, known, () => renderToStaticMarkup(grid))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** A session that read four workers so long ago. */
function read(agoMs: number): Partial<SessionState> {
  const health = {
    connectionId: 'c1',
    endpointId: 'text',
    atMs: Date.now() - agoMs,
    jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 },
    workers: { idle: 1, running: 3 },
    extra: {},
  };
  return {
    runTimes: { [endpointKey({ connectionId: 'c1', endpointId: 'text' })]: runTimes },
    runTimesOf: 'c1',
    health: { [endpointKey({ connectionId: 'c1', endpointId: 'text' })]: health },
  };
}

test('the time of a grid is estimated from workers that were read lately, and else not', () => {
  queries.setQueryData(['cost:list', { connectionId: null }], []);
  expect(said(read(1_000))).toContain('with 4 workers about 2 min');
  expect(said(read(3_600_000))).not.toMatch(/with \d+ worker/);
  expect(said(read(3_600_000))).toContain('have not been read lately, so the time is unknown');
});

test('run times of another connection are not those of this draft', () => {
  expect(said({ ...read(1_000), runTimesOf: 'c2' })).toContain('run times of this endpoint have not been read yet');
});
