import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { SandboxState } from '../../../../src-preload/sandbox.ts';
import { Nothing } from '../../../../src-renderer/sandbox/requests-view.tsx';
import { useSandbox, watchSandbox } from '../../../../src-renderer/sandbox/sandbox-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { withStore } from '../../../kit/with-store.ts';

afterEach(() => void vi.unstubAllGlobals());

const sandbox: SandboxState = {
  isRunning: true,
  baseUrl: 'http://127.0.0.1:1/v2',
  restUrl: null,
  templates: [],
  problem: null,
  timeScale: 1,
  faults: [],
  handlers: [],
  endpoints: ['text'],
  pods: [],
};

test('requests of the sandbox that could not be read are not said to be none', async () => {
  answerCalls({
    'sandbox:requests': () => Promise.resolve(failed({ kind: 'defect', message: 'The thread ended.' })),
    'sandbox:watch': () => Promise.resolve(ok(null)),
  });
  const close = watchSandbox();
  await expect.poll(() => useSandbox.getState().problem).toBe('The thread ended.');
  const shown = withStore(useSandbox, useSandbox.getState(), () =>
    renderToStaticMarkup(createElement(Nothing, { sandbox, count: 0 })),
  );
  expect(shown).toContain('Could not read the earlier requests');
  expect(shown).not.toContain('No requests yet');
  close();
});

test('workers of the sandbox that were read before the pane was closed are not shown as those of now', async () => {
  const workers = [{ endpointId: 'text', running: 2, idle: 0, starting: 0, inQueue: 5 }];
  answerCalls({
    'sandbox:requests': () => Promise.resolve(ok({ requests: [], missed: 0, workers })),
    'sandbox:watch': () => Promise.resolve(ok(null)),
  });
  const close = watchSandbox();
  await expect.poll(() => useSandbox.getState().workers).toEqual(workers);
  close();
  expect(useSandbox.getState().workers).toEqual([]);
});
