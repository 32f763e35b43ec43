import { afterEach, expect, it, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { commandOf, copyCommand } from '../../../../src-renderer/composer/curl-preview.tsx';
import { checkDraft } from '../../../../src-renderer/composer/draft-check.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

it('the command that was made last is old after a change, and none for another endpoint or input', () => {
  const draft = emptyDraft('c', 'text');
  const check = checkDraft(draft, []);
  const last = { draft, check, index: 0, answer: ok({ command: 'curl' }) };
  expect(commandOf(last, { draft, check, index: 0 })).toEqual({ answer: last.answer, isOld: false });
  const changed = { ...draft, inputText: '{"a": 1}' };
  expect(commandOf(last, { draft: changed, check: checkDraft(changed, []), index: 0 })?.isOld).toBe(true);
  expect(commandOf(last, { draft, check, index: 1 })).toBeNull();
  expect(commandOf(last, { draft: { ...draft, endpointId: 'image' }, check, index: 0 })).toBeNull();
  expect(commandOf(null, { draft, check, index: 0 })).toBeNull();
});

it('a command that cannot be made leaves the clipboard as it is', async () => {
  const draft = emptyDraft('c', 'text');
  const of = { draft, check: checkDraft(draft, []), index: 0 };
  const copied: string[] = [];
  const copyText = ({ text }: { text: string }) => {
    copied.push(text);
    return Promise.resolve(ok(null));
  };
  const failure = { kind: 'defect', message: 'No command.' } as const;
  answerCalls({ 'job:curl': () => Promise.resolve(failed(failure)), 'app:copyText': copyText });
  expect(await copyCommand(of)).toEqual(failed(failure));
  expect(copied).toEqual([]);
  answerCalls({ 'job:curl': () => Promise.resolve(ok({ command: 'curl' })), 'app:copyText': copyText });
  expect(await copyCommand(of)).toEqual(ok(null));
  expect(copied).toEqual(['curl']);
});
