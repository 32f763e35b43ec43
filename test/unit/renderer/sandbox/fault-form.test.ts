import { describe, expect, it } from 'vitest';
import { checkFaultRule } from '../../../../src-main/sandbox/faults/fault-check.ts';
import { FAULT_KINDS } from '../../../../src-main/sandbox/faults/faults.ts';
import { faultKindNames, faultKinds } from '../../../../src-preload/sandbox-bounds.ts';
import { sandboxFault } from '../../../../src-preload/sandbox-schema.ts';
import type { SandboxFault } from '../../../../src-preload/sandbox.ts';
import {
  blankFault,
  faultPresets,
  presetFaults,
  readFault,
  withKind,
} from '../../../../src-renderer/sandbox/fault-form.ts';
import type { FaultFields } from '../../../../src-renderer/sandbox/fault-form.ts';
import { faultReach, faultTitle, faultKindText } from '../../../../src-renderer/messages/sandbox/faults.ts';

const fault: SandboxFault = {
  id: 'f1',
  isOn: true,
  kind: 'status',
  operation: null,
  endpointId: null,
  status: 500,
  probability: 1,
  times: null,
  forMs: null,
  isProcessed: false,
  delayMs: null,
};
const read = (fields: Partial<FaultFields>) => readFault({ ...blankFault, ...fields }, 'f1');

describe('the form of a fault', () => {
  it('begins as a 500 on every request', () => {
    expect(read({})).toEqual({ fault });
  });

  it('reads every field', () => {
    expect(
      read({
        operation: 'status',
        endpointId: 'echo',
        status: ' 503 ',
        percent: '12.5',
        times: '3',
        forS: '10',
        isProcessed: true,
        delayMs: '800',
      }),
    ).toEqual({
      fault: {
        ...fault,
        operation: 'status',
        endpointId: 'echo',
        status: 503,
        probability: 0.125,
        times: 3,
        forMs: 10_000,
        isProcessed: true,
        delayMs: 800,
      },
    });
  });

  it.each([
    [{ status: '200' }, { status: 'A status is a whole number from 300 to 599' }],
    [{ status: '500.5' }, { status: 'A status is a whole number from 300 to 599' }],
    [{ percent: '0' }, { percent: 'A share is from 0.1 to 100 %' }],
    [{ forS: '0' }, { forS: 'A time is from 0.001 to 86,400 s' }],
    [{ percent: 'often' }, { percent: 'A share is from 0.1 to 100 %' }],
    [
      { times: '-1', delayMs: '1e9' },
      {
        times: 'A number of requests is a whole number from 1 to 100,000',
        delayMs: 'A delay is a whole number from 1 to 600,000 ms',
      },
    ],
    [{ kind: 'delay', delayMs: '' }, { delayMs: 'Say how long' }],
  ] as const)('says what is invalid in %j', (fields, problems) => {
    expect(read(fields)).toEqual({ problems });
  });

  it('drops fields that another kind does not use', () => {
    const reset = withKind({ ...blankFault, operation: 'run', status: '503' }, 'reset');
    expect(reset).toMatchObject({ kind: 'reset', operation: 'run', status: '' });
    expect(readFault(reset, 'f1')).toEqual({ fault: { ...fault, kind: 'reset', operation: 'run', status: null } });
    expect(readFault(withKind({ ...blankFault, isProcessed: true }, 'huge'), 'f1')).toMatchObject({
      fault: { kind: 'huge', isProcessed: false },
    });
    expect(withKind({ ...blankFault, operation: 'run' }, 'late-in-progress').operation).toBe('');
    expect(withKind({ ...blankFault, operation: 'status' }, 'late-in-progress').operation).toBe('status');
    const delay = withKind(blankFault, 'delay');
    expect(delay.delayMs).toBe('800');
    expect(withKind(delay, 'hang').delayMs).toBe('');
    expect(withKind({ ...blankFault, delayMs: '50' }, 'html')).toMatchObject({ status: '502', delayMs: '50' });
  });

  it('returns only faults that the contract accepts', () => {
    for (const kind of Object.keys(faultKindText) as (keyof typeof faultKindText)[]) {
      const made = readFault(withKind(blankFault, kind), 'f1');
      expect('fault' in made && sandboxFault.safeParse(made.fault).success).toBe(true);
    }
  });
});

describe('the kinds of faults', () => {
  it('are those of the sandbox, and each can affect what it can affect there', () => {
    expect(Object.keys(faultKinds).sort()).toEqual(Object.keys(FAULT_KINDS).sort());
    expect(Object.keys(faultKindText).sort()).toEqual(Object.keys(FAULT_KINDS).sort());
    for (const [kind, operations] of Object.entries(faultKinds)) {
      const there = Object.entries(FAULT_KINDS).find(([name]) => name === kind)?.[1] ?? [];
      expect(there).toEqual(expect.arrayContaining([...operations]));
    }
  });

  it('say whether the request is processed first only if they answer in place of the service', () => {
    for (const kind of faultKindNames) {
      const made = sandboxFault.safeParse({ ...fault, kind, status: null, isProcessed: true });
      expect(made.success).toBe(kind === 'status' || kind === 'html');
      expect(checkFaultRule({ kind, isProcessed: true, ...(kind === 'delay' ? { delayMs: 1 } : {}) }).ok).toBe(
        made.success,
      );
    }
  });

  it('cannot be limited to an operation they do not affect', () => {
    expect(
      sandboxFault.safeParse({ ...fault, kind: 'replay-chunks', operation: 'run', status: null }).error?.issues[0],
    ).toMatchObject({ path: ['operation'] });
    expect(sandboxFault.safeParse({ ...fault, kind: 'replay-chunks', operation: 'stream', status: null }).success).toBe(
      true,
    );
  });
});

describe('presets', () => {
  it('are faults that the contract accepts, each with its own id', () => {
    let made = 0;
    for (const preset of faultPresets) {
      const faults = presetFaults(preset, () => `f${(made += 1)}`);
      expect(faults.length).toBeGreaterThan(2);
      for (const one of faults) expect(sandboxFault.safeParse(one).error?.issues ?? []).toEqual([]);
      expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    }
  });

  it('of everything affect three in ten of the requests that track a job', () => {
    const everything = faultPresets.find(({ name }) => name === 'Everything at 30 %');
    const faults = everything === undefined ? [] : presetFaults(everything, () => 'f');
    for (const operation of ['status', 'stream', 'run'] as const) {
      const spared = faults
        .filter(({ kind }) => (faultKinds[kind] as readonly string[]).includes(operation))
        .reduce((share, { probability }) => share * (1 - probability), 1);
      expect(1 - spared).toBeGreaterThan(0.24);
      expect(1 - spared).toBeLessThan(0.36);
    }
  });
});

describe('the text of a fault', () => {
  it.each([
    [fault, 'Status 500', 'every request, always'],
    [
      { ...fault, operation: 'status', endpointId: 'echo', probability: 0.3, times: 5 },
      'Status 500',
      'status on echo, 30 %, first 5',
    ],
    [
      { ...fault, kind: 'delay', status: null, delayMs: 1_500, endpointId: 'text' },
      'Delay of 1.5 s',
      'everything on text, always',
    ],
    [
      { ...fault, kind: 'reset', status: null, operation: 'run', delayMs: 200, probability: 0.125 },
      'Connection reset',
      'run, 12.5 %, after 200 ms',
    ],
    [{ ...fault, kind: 'html', status: 502 }, 'HTML error page, 502', 'every request, always'],
    [
      { ...fault, status: 302, isProcessed: true, forMs: 300_000 },
      'Status 302 once done',
      'every request, always, for 300 s',
    ],
    [
      { ...fault, kind: 'html', status: null, isProcessed: true, operation: 'run' },
      'HTML error page once done',
      'run, always',
    ],
    [{ ...fault, kind: 'replay-chunks', status: null }, 'Replayed chunks', 'every stream, always'],
    [{ ...fault, kind: 'drop-webhook', status: null }, 'Dropped webhook', 'every webhook, always'],
  ] satisfies [SandboxFault, string, string][])('%#', (one, title, reach) => {
    expect([faultTitle(one), faultReach(one)]).toEqual([title, reach]);
  });
});
