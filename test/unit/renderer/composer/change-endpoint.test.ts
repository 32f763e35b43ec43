import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { changeEndpoint } from '../../../../src-renderer/composer/change-endpoint.ts';
import { useComposerNotice } from '../../../../src-renderer/composer/composer-notice.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerCalls({
    'draft:keep': () => Promise.resolve(ok(null)),
    'draft:load': () => Promise.resolve(ok(null)),
  });
  await useComposer.getState().openNew();
  useComposer.getState().change({ inputText: '{"one": 1}' });
  await changeEndpoint('two');
  useComposer.getState().change({ inputText: '{"two": 2}' });
  await changeEndpoint('three');
  useComposer.getState().change({ inputText: '{"three": 3}' });
  await changeEndpoint('two');
});
afterEach(() => {
  useComposer.getState().submitted();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const noticeNow = () => useComposerNotice.getState().notice;
const press = (): void => noticeNow()?.actions.at(0)?.onSelect();
const inputText = (): string | undefined => useComposer.getState().draft?.inputText;

test('the draft of the endpoint is back, and can be replaced by the one that was on screen', () => {
  expect(inputText()).toBe('{"two": 2}');
  press();
  expect(inputText()).toBe('{"three": 3}');
});

test('Undo of that restores what the draft was at that moment, not as the endpoint was opened', () => {
  useComposer.getState().change({ inputText: '{"two": 2, "typed": true}' });
  press();
  expect(inputText()).toBe('{"three": 3}');
  press();
  expect(inputText()).toBe('{"two": 2, "typed": true}');
});

test('Undo never overwrites what was typed since', () => {
  press();
  const undo = noticeNow()?.actions.at(0);
  useComposer.getState().change({ inputText: '{"three": 3, "typed": true}' });
  undo?.onSelect();
  expect(inputText()).toBe('{"three": 3, "typed": true}');
});
