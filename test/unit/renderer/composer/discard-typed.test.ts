import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { useBulk } from '../../../../src-renderer/composer/bulk/bulk-store.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { discardEdits, discardInputs } from '../../../../src-renderer/composer/discard-typed.ts';
import { answerComposer, closeComposer, inputText, noticeNow, pressNotice } from '../../../kit/composer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerComposer({
    'job:draft': ({ key }) =>
      Promise.resolve(ok({ connectionId: '', endpointId: '', operation: 'run', inputText: `{"of":"${key}"}` })),
  });
});
afterEach(closeComposer);

/** The composer with edits of an earlier time. */
async function openEdited(): Promise<void> {
  await useComposer.getState().openFrom('k1');
  useComposer.getState().change({ inputText: '{"edited":1}' });
  useComposer.getState().close();
  await useComposer.getState().openFrom('k1');
}

test('discarded earlier edits are restored, and can be discarded again', async () => {
  await openEdited();
  discardEdits();
  expect(inputText()).toBe('{"of":"k1"}');
  pressNotice();
  expect(inputText()).toBe('{"edited":1}');
  discardEdits();
  expect(inputText()).toBe('{"of":"k1"}');
});

test('they are not restored over text typed since', async () => {
  await openEdited();
  discardEdits();
  useComposer.getState().change({ inputText: '{"typed":2}' });
  pressNotice();
  expect(inputText()).toBe('{"typed":2}');
  expect(noticeNow()?.title).toContain('would be lost');
});

test('a long text removed from the inputs is restored with its name, unless something was typed since', () => {
  useBulk.getState().setText('{"a":1}\n{"a":2}', 'rows.ndjson');
  discardInputs();
  expect(useBulk.getState().text).toBe('');
  expect(noticeNow()?.title).toBe('Removed rows.ndjson.');
  pressNotice();
  expect(useBulk.getState()).toMatchObject({ text: '{"a":1}\n{"a":2}', fileName: 'rows.ndjson' });
  discardInputs();
  useBulk.getState().setText('typed');
  pressNotice();
  expect(useBulk.getState().text).toBe('typed');
});
