import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { goToPlace } from '../../../../src-renderer/navigation/go.ts';
import { rememberPlaces, useNavigation } from '../../../../src-renderer/navigation/navigation.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const all = { view: 'all', endpointId: null } as const;
const failed = { view: 'failed', endpointId: null } as const;
let end = (): void => {};

beforeEach(() => {
  vi.useFakeTimers();
  answerCalls({});
  end = rememberPlaces();
});

afterEach(() => {
  end();
  useNavigation.setState({ stops: [], at: -1 });
  useJobs.setState(useJobs.getInitialState());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const settle = (): unknown => vi.advanceTimersByTime(1_000);
const stand = (): readonly unknown[] => [useJobs.getState().place.view, useJobs.getState().query.text];

test('another place shows all of its jobs, and Back restores the filter of the one before', () => {
  void useJobs.getState().searchFor('plum');
  goToPlace(failed);
  expect(stand()).toEqual(['failed', '']);
  settle();
  void useJobs.getState().searchFor('pear');
  useNavigation.getState().back();
  expect(stand()).toEqual(['all', 'plum']);
  useNavigation.getState().forward();
  expect(stand()).toEqual(['failed', 'pear']);
});

test('choosing the shown place again clears its filter, and Back restores it', () => {
  void useJobs.getState().searchFor('plum');
  goToPlace({ ...all });
  expect(stand()).toEqual(['all', '']);
  // At once: the stop that is still waited for is one all the same.
  useNavigation.getState().back();
  expect(stand()).toEqual(['all', 'plum']);
});

test('typing adds no stop of its own', () => {
  for (const text of ['p', 'pl', 'plu']) {
    void useJobs.getState().searchFor(text);
    settle();
  }
  expect(useNavigation.getState().stops).toHaveLength(1);
  expect(useJobs.getState().query).not.toEqual(emptyQuery);
});
