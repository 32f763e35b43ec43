import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { TemplateSummary } from '../../../../src-preload/template.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { forgetTemplate, knownTemplatesNow } from '../../../../src-renderer/templates/forget-template.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const echo: TemplateSummary = {
  connectionId: 'c1',
  templateId: 't1',
  name: 'echo',
  imageName: null,
  category: null,
  isServerless: true,
  isRunpod: null,
  seenAtMs: 5,
  source: null,
  endpointIds: [],
  hasDraft: true,
  lastOutcome: null,
  updatedAtMs: [],
};
const other: TemplateSummary = { ...echo, templateId: 't2', name: null, hasDraft: false };
let forgotten: string[] = [];
let known: TemplateSummary[] = [];
beforeEach(() => {
  forgotten = [];
  known = [echo, other];
  useToasts.setState({ items: [] });
  answerCalls({
    'template:list': () => Promise.resolve(ok(known)),
    'template:forget': ({ templateId }) => {
      forgotten.push(templateId);
      return Promise.resolve(ok(null));
    },
  });
});
afterEach(() => void vi.unstubAllGlobals());

const lastToast = () => useToasts.getState().items.at(-1);
const shown = (): (string | null)[] => knownTemplatesNow(known).map(({ templateId }) => templateId);
/** As if the offer to undo had passed. */
async function offerPasses(): Promise<void> {
  const item = lastToast();
  useToasts.setState({ items: [] });
  item?.onGone?.();
  await new Promise((resolve) => setImmediate(resolve));
}

test('a template leaves the list immediately, and its saved data is deleted when undo is no longer possible', async () => {
  forgetTemplate(echo);
  expect(lastToast()?.message).toBe('Forgot echo and its draft');
  expect(shown()).toEqual(['t2']);
  expect(forgotten).toEqual([]);
  await offerPasses();
  expect(forgotten).toEqual(['t1']);
});

test('after undo, it is back and nothing was deleted', async () => {
  forgetTemplate(other);
  expect(lastToast()?.message).toBe('Forgot t2');
  lastToast()?.action?.onSelect();
  expect(shown()).toEqual(['t1', 't2']);
  expect(forgotten).toEqual([]);
});

test('a template that was edited in the meantime is not deleted', async () => {
  forgetTemplate(other);
  known = [echo, { ...other, hasDraft: true }];
  await offerPasses();
  expect(forgotten).toEqual([]);
  expect(shown()).toEqual(['t1', 't2']);
  expect(lastToast()?.message).toBe('t2 changed meanwhile, so Jobdeck did not forget it.');
});
