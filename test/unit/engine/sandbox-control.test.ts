import { describe, expect, it } from 'vitest';
import { faultRules } from '../../../src-main/engine/sandbox-control.ts';
import type { SandboxFault } from '../../../src-preload/sandbox.ts';

const fault: SandboxFault = {
  id: 'f1',
  isOn: true,
  kind: 'status',
  operation: null,
  endpointId: null,
  status: null,
  probability: 1,
  times: null,
  forMs: null,
  isProcessed: false,
  delayMs: null,
};

describe('faults sent to the sandbox', () => {
  it('are the enabled ones, in order, without empty fields', () => {
    expect(
      faultRules([
        fault,
        { ...fault, isOn: false },
        { ...fault, kind: 'delay', operation: 'run', endpointId: 'echo', probability: 0.2, times: 3, delayMs: 50 },
        { ...fault, status: 503, forMs: 10_000, isProcessed: true },
      ]),
    ).toEqual([
      { kind: 'status' },
      { kind: 'delay', operation: 'run', endpointId: 'echo', probability: 0.2, times: 3, delayMs: 50 },
      { kind: 'status', status: 503, forMs: 10_000, isProcessed: true },
    ]);
  });
});
