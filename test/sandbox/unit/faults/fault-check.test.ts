import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFaultRule, readFaultText } from '../../../../src-main/sandbox/faults/fault-check.ts';
import { FAULT_KINDS, isFaultKind } from '../../../../src-main/sandbox/faults/faults.ts';

describe('a fault as text', () => {
  it.each([
    [
      'kind=status,status=503,op=status,endpoint=echo,p=0.2,times=3,delay=200,retry-after=2',
      {
        kind: 'status',
        status: 503,
        operation: 'status',
        endpointId: 'echo',
        probability: 0.2,
        times: 3,
        delayMs: 200,
        retryAfterS: 2,
      },
    ],
    [
      'html:404, processed=yes, from=60000, for=10000',
      { kind: 'html', status: 404, isProcessed: true, fromMs: 60_000, forMs: 10_000 },
    ],
    ['status:302,processed=no', { kind: 'status', status: 302, isProcessed: false }],
    ['huge,size=1000,op=status', { kind: 'huge', sizeBytes: 1_000, operation: 'status' }],
    ['status:503@0.2', { kind: 'status', status: 503, probability: 0.2 }],
    ['status@1', { kind: 'status', probability: 1 }],
    ['hang', { kind: 'hang' }],
    ['drop-webhook@0.5, endpoint=mock', { kind: 'drop-webhook', probability: 0.5, endpointId: 'mock' }],
    ['clock-skew,skew=-5000', { kind: 'clock-skew', skewMs: -5_000 }],
    ['kind = delay , delay = 20 , operation = get-pod', { kind: 'delay', delayMs: 20, operation: 'get-pod' }],
  ])('%s', (text, value) => {
    expect(readFaultText(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', /not written as name=value/],
    ['nope', /kind of a fault must be status, html/],
    ['status:99', /status of a fault must be a whole number from 200 to 599/],
    ['status:503@2', /p of a fault must be a number from 0 to 1/],
    ['hang:503', /status belongs to faults of kind status or html, not hang/],
    ['kind=status,colour=red', /has no colour/],
    ['kind=status,hang', /"hang" of a fault is not written as name=value/],
    ['kind=status,kind=hang', /takes kind once only/],
    ['status,p=often', /p of a fault must be a number, not "often"/],
    ['status,processed=often', /processed of a fault must be yes or no, not "often"/],
    ['huge,processed=yes', /processed belongs to faults of kind status or html, not huge/],
    ['status,for=0', /for of a fault must be a whole number from 1/],
    ['status,from=-1', /from of a fault must be a whole number from 0/],
    ['deep,size=5', /size belongs to faults of kind large, huge or compressed/],
    ['status,times=1.5', /times of a fault must be a whole number/],
    ['status,times=0', /times of a fault must be a whole number from 1/],
    ['status,op=fly', /op of a fault must be run, /],
    ['late-in-progress,op=run', /cannot hit run, only status or status-sync/],
    ['status,endpoint=', /endpoint of a fault must be the id/],
    ['delay', /needs delay\./],
    ['drop-webhook,delay=5', /delay means nothing/],
    ['status,skew=5', /skew belongs to faults of kind clock-skew/],
    ['reset,retry-after=5', /retry-after belongs to faults of kind status/],
  ])('refuses "%s" in one line', (text, expected) => {
    const read = readFaultText(text);
    expect(read).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
    expect(read.ok ? '' : read.message).toMatch(/^[^\n]+\.$/);
  });

  it('is read for every kind', () => {
    for (const kind of Object.keys(FAULT_KINDS))
      expect(readFaultText(kind === 'delay' ? 'delay,delay=1' : kind)).toMatchObject({ ok: true, value: { kind } });
  });

  it('never throws, whatever the text', () => {
    const parts = fc.array(fc.oneof(fc.string(), fc.constantFrom('kind=status', 'p=1', 'op=run', 'status=503')), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(parts, (texts) => {
        const read = readFaultText(texts.join(','));
        expect(read.ok ? isFaultKind(read.value.kind) : read.message !== '').toBe(true);
      }),
    );
  });
});

describe('a fault as JSON', () => {
  it('is read field by field', () => {
    const rule = { kind: 'clock-skew', operation: 'update-template', probability: 0, times: 2, delayMs: 0, skewMs: 1 };
    expect(checkFaultRule(rule)).toEqual({ ok: true, value: rule });
  });

  it.each([
    [null, /must be an object/],
    [[], /must be an object/],
    [{}, /kind of a fault must be/],
    [{ kind: 'toString' }, /kind of a fault must be/],
    [{ kind: 'status', status: '503' }, /status of a fault must be a whole number/],
    [{ kind: 'status', probability: Number.NaN }, /probability of a fault must be a number/],
    [{ kind: 'status', probability: null }, /probability of a fault must be a number/],
    [{ kind: 'status', isProcessed: 'yes' }, /isProcessed of a fault must be true or false/],
    [{ kind: 'status', operation: 5 }, /operation of a fault must be/],
    [{ kind: 'status', operation: 'webhook' }, /cannot hit webhook/],
    [{ kind: 'status', endpointId: 5 }, /endpointId of a fault must be/],
    [{ kind: 'status', endpoint: 'echo' }, /has only the fields kind, operation, endpointId/],
    [{ kind: 'status', delayMs: 1e12 }, /delayMs of a fault must be/],
  ])('%j is refused', (value, expected) => {
    expect(checkFaultRule(value)).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
  });

  it('never throws, whatever the value', () => {
    const entries = fc.dictionary(
      fc.constantFrom('kind', 'operation', 'endpointId', 'status', 'probability', 'times', '__proto__'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('status', 'run')),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), entries), (value) => {
        expect(typeof checkFaultRule(value).ok).toBe('boolean');
      }),
    );
  });
});
