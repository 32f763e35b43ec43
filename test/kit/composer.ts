import { vi } from 'vitest';
import { ok } from '../../src-preload/failure.ts';
import { useComposerNotice } from '../../src-renderer/composer/composer-notice.ts';
import { useComposer } from '../../src-renderer/composer/composer-store.ts';
import { answerCalls } from './answering-bridge.ts';

/** The drafts that the engine has saved, by slot. An empty text is none. */
export const savedDrafts = new Map<string, string>();

/** Answers the composer's calls as the engine does: a saved draft is loaded again. `answers`: to further calls. */
export function answerComposer(answers: Parameters<typeof answerCalls>[0] = {}): ReturnType<typeof answerCalls> {
  return answerCalls({
    'draft:save': ({ slot, text }) => {
      savedDrafts.set(slot, text);
      return Promise.resolve(ok(null));
    },
    'draft:load': ({ slot }) => {
      const text = savedDrafts.get(slot) ?? '';
      return Promise.resolve(ok(text === '' ? null : { text }));
    },
    ...answers,
  });
}

/** Ends what a test left: the draft, saved ones, virtual timers and the bridge. */
export function closeComposer(): void {
  useComposer.getState().submitted();
  savedDrafts.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

/** The text of the input on screen. */
export function inputText(): string | undefined {
  return useComposer.getState().draft?.inputText;
}

/** The notice above the input, or null. */
export function noticeNow(): ReturnType<typeof useComposerNotice.getState>['notice'] {
  return useComposerNotice.getState().notice;
}

/** Presses the first button of the notice. */
export function pressNotice(): void {
  noticeNow()?.actions.at(0)?.onSelect();
}
