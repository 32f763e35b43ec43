import type { SandboxFault } from '../../src-preload/sandbox.ts';
import type { FaultRule } from '../sandbox/faults/fault-rule.ts';

/** The rules the sandbox gets of a window's list: those that are on, in order. */
export function faultRules(faults: readonly SandboxFault[]): FaultRule[] {
  return faults
    .filter((fault) => fault.isOn)
    .map(({ kind, operation, endpointId, status, probability, times, forMs, isProcessed, delayMs }) => ({
      kind,
      ...(operation === null ? {} : { operation }),
      ...(endpointId === null ? {} : { endpointId }),
      ...(status === null ? {} : { status }),
      ...(probability === 1 ? {} : { probability }),
      ...(times === null ? {} : { times }),
      ...(forMs === null ? {} : { forMs }),
      ...(isProcessed ? { isProcessed } : {}),
      ...(delayMs === null ? {} : { delayMs }),
    }));
}
