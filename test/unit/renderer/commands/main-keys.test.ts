import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { handleMainKey } from '../../../../src-renderer/commands/main-keys.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf } from '../jobs/job-of.ts';
import { plainWindow } from './a-window.ts';

const job = jobOf(1);
let changed: string[] = [];

beforeEach(() => {
  plainWindow();
  changed = [];
  answerCalls({
    'job:star': ({ key }) => {
      changed.push(`starred ${key}`);
      return Promise.resolve(ok(null));
    },
    'job:judge': ({ key }) => {
      changed.push(`marked ${key}`);
      return Promise.resolve(ok(job));
    },
  });
  Object.assign(window, { getSelection: () => null });
});

afterEach(() => {
  useJobs.setState({ selectedKey: null, isDetailOpen: false });
  vi.unstubAllGlobals();
});

function press(key: string, patch: { altKey?: boolean; code?: string } = {}): boolean {
  const event = Object.assign(new Event('keydown'), {
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...patch,
  });
  return handleMainKey(key.toUpperCase(), event);
}

test('keys act on the open job even if the list does not have it, and on none that is not open', () => {
  queries.setQueryData(['job:get', { key: job.key }], { job });
  useJobs.setState({ selectedKey: job.key, isDetailOpen: false });
  expect([press('s'), press('3', { altKey: true, code: 'Digit3' })]).toEqual([false, false]);
  expect(changed).toEqual([]);
  useJobs.setState({ isDetailOpen: true });
  expect([press('s'), press('3', { altKey: true, code: 'Digit3' })]).toEqual([true, true]);
  expect(changed).toEqual([`starred ${job.key}`, `marked ${job.key}`]);
});
