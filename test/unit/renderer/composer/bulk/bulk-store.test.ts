import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../../src-preload/failure.ts';
import { useBulk } from '../../../../../src-renderer/composer/bulk/bulk-store.ts';
import { useComposer } from '../../../../../src-renderer/composer/composer-store.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('text typed for many inputs is saved immediately when the sheet closes, and nothing if nothing was typed', () => {
  vi.useFakeTimers();
  const kept: { slot: string; text: string }[] = [];
  answerCalls({
    'draft:save': (draft) => {
      kept.push(draft);
      return Promise.resolve(ok(null));
    },
  });
  useComposer.setState({ isOpen: true });
  useComposer.getState().close();
  expect(kept.filter(({ slot }) => slot.startsWith('composer-bulk'))).toEqual([]);
  useComposer.setState({ isOpen: true });
  useBulk.getState().setText('a,b\n1,2\n');
  useComposer.getState().close();
  expect(kept).toContainEqual({ slot: 'composer-bulk-text', text: 'a,b\n1,2\n' });
});

test('a text that could not be read is not overwritten by nothing, and is read again with the next sheet', async () => {
  vi.resetModules();
  const fresh = await import('../../../../../src-renderer/composer/bulk/bulk-store.ts');
  const kept: string[] = [];
  let isDamaged = true;
  answerCalls({
    'draft:load': ({ slot }) =>
      Promise.resolve(
        isDamaged
          ? failed({ kind: 'defect', message: 'The disk does not answer.' })
          : ok(slot === 'composer-bulk-text' ? { text: '{}' } : null),
      ),
    'draft:save': ({ slot }) => {
      kept.push(slot);
      return Promise.resolve(ok(null));
    },
  });
  await fresh.useBulk.getState().load();
  fresh.useBulk.getState().saveSoon();
  fresh.useBulk.getState().saveWaiting();
  expect(kept).toEqual(['composer-bulk']);
  isDamaged = false;
  await fresh.useBulk.getState().load();
  expect(fresh.useBulk.getState().text).toBe('{}');
});
