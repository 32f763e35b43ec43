import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok, type Failure, type Result } from '../../../../../src-preload/failure.ts';
import type { Job } from '../../../../../src-preload/job.ts';
import { useToasts } from '../../../../../src-renderer/design/toast.tsx';
import { useExtendDialog } from '../../../../../src-renderer/job/dialogs/dialog-stores.ts';
import { extendLifetime } from '../../../../../src-renderer/job/dialogs/extend-dialog.tsx';
import { answerCalls } from '../../../../kit/answering-bridge.ts';
import { jobOf } from '../../jobs/job-of.ts';

let asked: ((answer: Result<Job>) => void)[] = [];
let refused: Failure[] = [];
const extend = (key: string): Promise<void> => extendLifetime(key, 1_000, (failure) => refused.push(failure));
const noService = failed({ kind: 'defect', message: 'The service does not answer.' } as const);
const toasts = (): string[] => useToasts.getState().items.map(({ message }) => message);

beforeEach(() => {
  asked = [];
  refused = [];
  useToasts.setState({ items: [] });
  answerCalls({ 'job:extendTtl': () => new Promise((answer) => asked.push(answer)) });
});

afterEach(() => {
  useExtendDialog.getState().close();
  vi.unstubAllGlobals();
});

test('an answer closes the dialog of its job, or says there why the service refused', async () => {
  useExtendDialog.getState().open('a');
  const refusal = extend('a');
  // It was pressed twice.
  await extend('a');
  expect(asked).toHaveLength(1);
  asked[0]?.(noService);
  await refusal;
  expect([useExtendDialog.getState().jobKey, refused, toasts()]).toEqual(['a', [noService.failure], []]);
  const extension = extend('a');
  asked[1]?.(ok(jobOf(1)));
  await extension;
  expect([useExtendDialog.getState().jobKey, toasts()]).toEqual([null, ['Lifetime extended']]);
});

test('an answer that comes when the dialog asks about another job leaves that one alone, and is reported', async () => {
  useExtendDialog.getState().open('a');
  const [first, second] = [extend('a'), extend('b')];
  useExtendDialog.getState().open('c');
  asked[0]?.(ok(jobOf(1)));
  asked[1]?.(noService);
  await Promise.all([first, second]);
  expect([useExtendDialog.getState().jobKey, refused]).toEqual(['c', []]);
  expect(toasts()).toEqual(['Lifetime extended', 'The service does not answer.']);
});
