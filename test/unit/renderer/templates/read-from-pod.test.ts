import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { TemplateView } from '../../../../src-preload/template.ts';
import { openTemplate, readFromPod, useTemplate } from '../../../../src-renderer/templates/template-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

const viewOf = (templateId: string): TemplateView => ({
  connectionId: 'c1',
  templateId,
  known: null,
  isEnvLost: false,
  history: [],
  uses: [],
  podIds: [],
  lastUpdate: null,
  draft: null,
  isVaultLasting: true,
});

test('a pod that was read for another template changes nothing of the one that is open by then', async () => {
  const read = Promise.withResolvers<null>();
  const { calls } = answerCalls({
    'template:view': async ({ templateId }) => ok(viewOf(templateId)),
    'template:saveDraft': async () => ok(null),
    'template:readFromPod': async () => {
      await read.promise;
      return ok(viewOf('t1'));
    },
  });
  vi.stubGlobal('window', { ...window, addEventListener: () => {}, removeEventListener: () => {} });
  const closeFirst = openTemplate({ connectionId: 'c1', templateId: 't1' });
  const reading = readFromPod('p1');
  closeFirst();
  const close = openTemplate({ connectionId: 'c1', templateId: 't2' });
  useTemplate.setState({ busy: 'sending' });
  const loads = calls.filter((name) => name === 'template:view').length;

  read.resolve(null);
  expect(await reading).toBeNull();
  expect(useTemplate.getState().busy).toBe('sending');
  expect(calls.filter((name) => name === 'template:view')).toHaveLength(loads);
  close();
});
