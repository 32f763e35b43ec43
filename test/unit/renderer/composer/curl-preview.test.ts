import { expect, it } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { emptyDraft } from '../../../../src-renderer/composer/composer-draft.ts';
import { commandOf } from '../../../../src-renderer/composer/curl-preview.tsx';
import { checkDraft } from '../../../../src-renderer/composer/draft-check.ts';

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
