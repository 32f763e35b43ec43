import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { useSettingsDialog } from '../../../../src-renderer/navigation/settings-dialog-store.ts';
import { formOf } from '../../../../src-renderer/settings/connection-edits.ts';
import { removeConnection } from '../../../../src-renderer/settings/connection-page.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const refused = failed({ kind: 'refused', message: 'A job is being sent.' } as const);
let answer: (removed: Result<null>) => void = () => {};
const toasts = (): string[] => useToasts.getState().items.map(({ message }) => message);

beforeEach(() => {
  useToasts.setState({ items: [] });
  // What is typed is saved a moment later, or when the window closes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerCalls({ 'connection:remove': () => new Promise((resolve) => (answer = resolve)) });
  Object.assign(window, { addEventListener: () => {}, removeEventListener: () => {} });
  useSettingsDialog.getState().choose('connections', 'c1');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the form of a removed connection makes room for a new one, and a refusal is shown in it', async () => {
  const kept = removeConnection('c1', formOf('c1', null));
  answer(refused);
  expect([await kept, toasts()]).toEqual([refused.failure, []]);
  const removed = removeConnection('c1', formOf('c1', null));
  answer(ok(null));
  expect([await removed, useSettingsDialog.getState().connectionId]).toEqual([null, null]);
});

test('a page that the user has turned to meanwhile stays, and a refusal is reported there', async () => {
  const removed = removeConnection('c1', formOf('c1', null));
  useSettingsDialog.getState().choose('connections', 'c2');
  answer(ok(null));
  await removed;
  expect(useSettingsDialog.getState().connectionId).toBe('c2');
  const kept = removeConnection('c1', formOf('c1', null));
  answer(refused);
  expect([await kept, toasts()]).toEqual([null, ['A job is being sent.']]);
});
