import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { SandboxFault, SandboxState } from '../../../../src-preload/sandbox.ts';
import { listenToEngine, useSession } from '../../../../src-renderer/data/session-store.ts';
import { changeFaults } from '../../../../src-renderer/sandbox/sandbox-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

const fault = (id: string): SandboxFault => ({
  id,
  isOn: true,
  kind: 'html',
  operation: null,
  endpointId: null,
  status: 502,
  probability: 1,
  times: null,
  forMs: null,
  isProcessed: false,
  delayMs: null,
});

const sandbox: SandboxState = {
  isRunning: true,
  baseUrl: 'http://127.0.0.1:1/v2',
  restUrl: null,
  templates: [],
  problem: null,
  timeScale: 1,
  faults: [fault('first'), fault('second')],
  handlers: [],
  endpoints: ['text'],
  pods: [],
};

test('two faults that are switched off at the same moment are both off', async () => {
  useSession.setState({ sandbox });
  const { listeners } = answerCalls({
    'sandbox:setFaults': (input) => {
      const changed = { ...sandbox, ...(input as Pick<SandboxState, 'faults'>) };
      listeners['sandbox:changed']?.(changed);
      return Promise.resolve(ok(changed));
    },
  });
  listenToEngine();
  const switchOff = (id: string): Promise<boolean> =>
    changeFaults((faults) => faults.map((one) => (one.id === id ? { ...one, isOn: false } : one)));
  expect(await Promise.all([switchOff('first'), switchOff('second')])).toEqual([true, true]);
  expect(useSession.getState().sandbox?.faults.map(({ isOn }) => isOn)).toEqual([false, false]);
});
