import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../../src-preload/failure.ts';
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
