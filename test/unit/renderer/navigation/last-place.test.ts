import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import {
  readLastPlace,
  restoreLastPlace,
  writeLastPlace,
  type LastPlace,
} from '../../../../src-renderer/navigation/last-place.ts';
import { jobsPane, useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const last: LastPlace = {
  connectionId: null,
  place: { view: 'finished-today', endpointId: 'text', batchId: 'b1' },
  query: {
    tokens: [
      { field: 'status', value: 'failed' },
      { field: 'tag', value: 'two words' },
    ],
    text: 'status: fog',
  },
  selectedKey: 'k1',
  isDetailOpen: true,
  pane: { kind: 'health', endpointId: 'text' },
};

afterEach(() => {
  vi.unstubAllGlobals();
  useJobs.setState(useJobs.getInitialState());
  useShell.getState().set({ pane: jobsPane });
});

test('the last place of the window is restored from disk unchanged', () => {
  expect(readLastPlace(writeLastPlace(last))).toEqual(last);
  const plain: LastPlace = {
    ...last,
    place: { view: 'all', endpointId: null },
    query: { tokens: [], text: '' },
    selectedKey: null,
    pane: jobsPane,
  };
  expect(readLastPlace(writeLastPlace(plain))).toEqual(plain);
});

test('what this version does not write is not a place', () => {
  for (const text of ['', '{', 'null', '[]', '{"place":{"view":"elsewhere"},"tokens":"","text":""}'])
    expect(readLastPlace(text)).toBeNull();
});

function answerWith(text: string): void {
  answerCalls({ 'draft:load': () => Promise.resolve(ok({ text })) });
}

test('the window returns there before its list is read; a job that is gone is not shown again', async () => {
  answerWith(writeLastPlace(last));
  expect(await restoreLastPlace()).toBeNull();
  expect(useJobs.getState()).toMatchObject({ place: last.place, query: last.query });
  expect(useShell.getState().pane).toEqual(last.pane);
});

test('for another connection, or a window opened for something else, nothing is restored', async () => {
  answerWith(writeLastPlace({ ...last, connectionId: 'another' }));
  expect(await restoreLastPlace()).toBeNull();
  answerWith(writeLastPlace(last));
  const restored = restoreLastPlace();
  useShell.getState().set({ pane: { kind: 'pods' } });
  expect(await restored).toBeNull();
  expect(useJobs.getState().place).toEqual({ view: 'all', endpointId: null });
  expect(useShell.getState().pane).toEqual({ kind: 'pods' });
});
