import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { CallInput } from '../../../../src-preload/contract.ts';
import type { TemplateView } from '../../../../src-preload/template.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import {
  discard,
  edit,
  openTemplate,
  pasteEnv,
  redoStep,
  undoStep,
  useTemplate,
} from '../../../../src-renderer/templates/template-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const at = { connectionId: 'c1', templateId: 't1' };
const pastedEnv = 'HF_TOKEN="a-secret"';
const view: TemplateView = {
  ...at,
  known: null,
  isEnvLost: false,
  history: [],
  uses: [],
  podIds: [],
  lastUpdate: null,
  draft: null,
  isVaultLasting: true,
};

/** What main has on disk. */
let kept: CallInput<'template:saveDraft'>['draft'];
let close: () => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  useToasts.setState({ items: [] });
  kept = null;
  answerCalls({
    'template:view': async () => ok(view),
    'template:saveDraft': async ({ draft }) => {
      kept = draft;
      return ok(null);
    },
  });
  vi.stubGlobal('window', { ...window, addEventListener: () => {}, removeEventListener: () => {} });
  close = openTemplate(at);
  await vi.advanceTimersByTimeAsync(0);
  edit('name', 'newer');
  pasteEnv(pastedEnv);
  await vi.advanceTimersByTimeAsync(400);
});
afterEach(async () => {
  close();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const entered = () => {
  const { edits, pastedEnv: pasted } = useTemplate.getState();
  return { edits, pastedEnv: pasted };
};
const pressUndo = (): void => useToasts.getState().items.at(-1)?.action?.onSelect();
const all = { edits: { name: 'newer' }, pastedEnv };
const nothing = { edits: {}, pastedEnv: '' };

describe('Discard', () => {
  it('discards the edits and the pasted .env file, here and on disk', async () => {
    expect(kept).toMatchObject(all);
    discard();
    expect(entered()).toEqual(nothing);
    await vi.advanceTimersByTimeAsync(400);
    expect(kept).toBeNull();
    expect(useToasts.getState().items.map(({ message }) => message)).toEqual([
      'Discarded the edits and the pasted .env file',
    ]);
  });

  it('can be undone by the toast and by Ctrl Z, and repeated', async () => {
    discard();
    pressUndo();
    expect(entered()).toEqual(all);
    await vi.advanceTimersByTimeAsync(400);
    expect(kept).toMatchObject(all);
    redoStep();
    expect(entered()).toEqual(nothing);
    undoStep();
    expect(entered()).toEqual(all);
  });

  it('can be undone after something was entered, which stays', () => {
    edit('imageName', 'ours');
    discard();
    edit('name', 'newest');
    pasteEnv('OTHER=1');
    pressUndo();
    expect(entered()).toEqual({ edits: { name: 'newest', imageName: 'ours' }, pastedEnv: 'OTHER=1' });
  });

  it('leaves other steps without an effect on the pasted file', () => {
    edit('imageName', 'ours');
    undoStep();
    expect(entered()).toEqual(all);
    pasteEnv('');
    redoStep();
    expect(entered()).toEqual({ edits: { name: 'newer', imageName: 'ours' }, pastedEnv: '' });
  });

  it('of edits alone names no file', () => {
    pasteEnv('');
    discard();
    expect(useToasts.getState().items.at(-1)?.message).toBe('Discarded the edits');
  });

  it('brings back what a restart lost, with the edits that it was lost from', () => {
    useTemplate.setState({ lostEnv: ['HF_TOKEN'], hasNewerCopy: true });
    discard();
    expect(useTemplate.getState()).toMatchObject({ lostEnv: [], hasNewerCopy: false });
    undoStep();
    expect(useTemplate.getState()).toMatchObject({ lostEnv: ['HF_TOKEN'], hasNewerCopy: true });
  });
});
