import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { useBulk } from '../../../../src-renderer/composer/bulk/bulk-store.ts';
import { useComposerNotice } from '../../../../src-renderer/composer/composer-notice.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { discardEdits, discardInputs } from '../../../../src-renderer/composer/discard-typed.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  kept.clear();
  answerCalls({
    'draft:keep': ({ slot, text }) => {
      kept.set(slot, text);
      return Promise.resolve(ok(null));
    },
    'draft:load': ({ slot }) => {
      const text = kept.get(slot) ?? '';
      return Promise.resolve(ok(text === '' ? null : { text }));
    },
    'job:draft': ({ key }) =>
      Promise.resolve(ok({ connectionId: '', endpointId: '', operation: 'run', inputText: `{"of":"${key}"}` })),
  });
});
afterEach(() => {
  useComposer.getState().submitted();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const undo = (): void => useComposerNotice.getState().notice?.actions.at(0)?.onSelect();
const inputText = (): string | undefined => useComposer.getState().draft?.inputText;

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
  undo();
  expect(inputText()).toBe('{"edited":1}');
  discardEdits();
  expect(inputText()).toBe('{"of":"k1"}');
});

test('they are not restored over text typed since', async () => {
  await openEdited();
  discardEdits();
  useComposer.getState().change({ inputText: '{"typed":2}' });
  undo();
  expect(inputText()).toBe('{"typed":2}');
  expect(useComposerNotice.getState().notice?.title).toContain('would be lost');
});

test('a long text removed from the inputs is restored with its name, unless something was typed since', () => {
  useBulk.getState().setText('{"a":1}\n{"a":2}', 'rows.ndjson');
  discardInputs();
  expect(useBulk.getState().text).toBe('');
  expect(useComposerNotice.getState().notice?.title).toBe('Removed rows.ndjson.');
  undo();
  expect(useBulk.getState()).toMatchObject({ text: '{"a":1}\n{"a":2}', fileName: 'rows.ndjson' });
  discardInputs();
  useBulk.getState().setText('typed');
  undo();
  expect(useBulk.getState().text).toBe('typed');
});
