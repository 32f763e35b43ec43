import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeEndpoint } from '../../../../src-renderer/composer/change-endpoint.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { answerComposer, closeComposer, inputText, noticeNow, pressNotice } from '../../../kit/composer.ts';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerComposer();
  await useComposer.getState().openNew();
  useComposer.getState().change({ inputText: '{"one": 1}' });
  await changeEndpoint('two');
  useComposer.getState().change({ inputText: '{"two": 2}' });
  await changeEndpoint('three');
  useComposer.getState().change({ inputText: '{"three": 3}' });
  await changeEndpoint('two');
});
afterEach(closeComposer);

test('the draft of the endpoint is back, and can be replaced by the one that was on screen', () => {
  expect(inputText()).toBe('{"two": 2}');
  pressNotice();
  expect(inputText()).toBe('{"three": 3}');
});

test('Undo of that restores what the draft was at that moment, not as the endpoint was opened', () => {
  useComposer.getState().change({ inputText: '{"two": 2, "typed": true}' });
  pressNotice();
  expect(inputText()).toBe('{"three": 3}');
  pressNotice();
  expect(inputText()).toBe('{"two": 2, "typed": true}');
});

test('Undo never overwrites what was typed since', () => {
  pressNotice();
  const undo = noticeNow()?.actions.at(0);
  useComposer.getState().change({ inputText: '{"three": 3, "typed": true}' });
  undo?.onSelect();
  expect(inputText()).toBe('{"three": 3, "typed": true}');
});
