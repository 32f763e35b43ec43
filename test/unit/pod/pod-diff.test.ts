import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { podChanges } from '../../../src-main/pod/pod-diff.ts';

const changes = (before: unknown, after: unknown) => podChanges(JSON.stringify(before), JSON.stringify(after));

describe('the difference between two reads', () => {
  it('lists changed, added and removed fields by their dotted names', () => {
    expect(
      changes(
        { id: 'p', publicIp: null, machine: { gpuAvailable: 4, note: 'n' }, locked: true },
        { id: 'p', publicIp: '1.2.3.4', machine: { gpuAvailable: 2 }, slsVersion: 3 },
      ),
    ).toEqual([
      { field: 'publicIp', kind: 'changed', from: 'null', to: '"1.2.3.4"' },
      { field: 'machine.gpuAvailable', kind: 'changed', from: '4', to: '2' },
      { field: 'machine.note', kind: 'removed', from: '"n"', to: null },
      { field: 'slsVersion', kind: 'added', from: null, to: '3' },
      { field: 'locked', kind: 'removed', from: 'true', to: null },
    ]);
  });

  it('shows a list, a change of type and an object that was empty as a whole', () => {
    expect(
      changes(
        { ports: ['22/tcp'], costPerHr: '6.48', portMappings: {} },
        { ports: ['22/tcp', '80/http'], costPerHr: { amount: 6 }, portMappings: { 22: 10_341 } },
      ),
    ).toEqual([
      { field: 'ports', kind: 'changed', from: '["22/tcp"]', to: '["22/tcp","80/http"]' },
      { field: 'costPerHr', kind: 'changed', from: '"6.48"', to: '{"amount":6}' },
      { field: 'portMappings', kind: 'changed', from: '{}', to: '{"22":10341}' },
    ]);
  });

  it('shows env by name only, wherever it is', () => {
    const before = {
      env: { A: 'one', GONE: 'x', SAME: 's' },
      template: { env: { T: 'x' } },
      list: [{ env: { L: 'one' } }],
    };
    const after = {
      env: { A: 'two', NEW: null, SAME: 's' },
      template: { env: { T: 'y' } },
      list: [{ env: { L: 'two' } }],
      extra: { env: { E: 'secret' } },
    };
    expect(changes(before, after)).toEqual([
      { field: 'env.A', kind: 'changed', from: null, to: null },
      { field: 'env.NEW', kind: 'added', from: null, to: null },
      { field: 'env.GONE', kind: 'removed', from: null, to: null },
      { field: 'template.env.T', kind: 'changed', from: null, to: null },
      { field: 'list', kind: 'changed', from: null, to: null },
      { field: 'extra.env.E', kind: 'added', from: null, to: null },
    ]);
    expect(changes({ env: { A: 'one' } }, { env: {} })).toEqual([
      { field: 'env.A', kind: 'removed', from: null, to: null },
    ]);
  });

  it('ignores fields that a flag adds or removes, and the listing of workers', () => {
    expect(
      changes(
        { id: 'p', workers: [] },
        {
          id: 'p',
          machine: { note: 'n' },
          networkVolume: null,
          savingsPlans: [],
          template: { env: { A: 'x' } },
          workers: [{ id: 'w' }],
        },
      ),
    ).toEqual([]);
    expect(changes({ machine: null }, { machine: { note: 'n' } })).toHaveLength(1);
  });

  it('is empty for equal replies, and never contains an env value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (pod) => {
        expect(changes(pod, JSON.parse(JSON.stringify(pod)))).toEqual([]);
      }),
    );
    const withEnv = fc.record(
      {
        env: fc.dictionary(
          fc.string(),
          fc.string().map((text) => `s3cr3t-${text}`),
        ),
        other: fc.jsonValue(),
        deep: fc.array(fc.record({ env: fc.constant({ A: 's3cr3t-1' }), n: fc.integer() })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(withEnv, withEnv, (before, after) => {
        expect(JSON.stringify(changes(before, after).map(({ from, to }) => [from, to]))).not.toContain('s3cr3t-');
      }),
    );
  });
});
