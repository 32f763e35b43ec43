import { describe, expect, it } from 'vitest';
import { calls, dispatch, isCallName } from '../../../src-preload/contract.ts';
import { failed } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';

/** What passed the check, as the handlers got it. */
const seen: unknown[] = [];
const refusing = async (input: unknown): Promise<Result<never>> => {
  seen.push(input);
  return failed({ kind: 'absent', message: 'This handler only listens.' });
};
const handlers = {
  'job:get': refusing,
  'job:submit': refusing,
  'job:extendTtl': refusing,
  'settings:change': refusing,
  'health:watch': refusing,
};
const from = { windowId: 1 };

describe('the contract', () => {
  it('knows its own names and nothing inherited', () => {
    expect(isCallName('job:submit')).toBe(true);
    for (const name of ['toString', 'constructor', '__proto__', 'job:nonsense', 7, null, undefined])
      expect(isCallName(name)).toBe(false);
  });

  it('names every call noun:verb', () => {
    for (const name of Object.keys(calls)) expect(name).toMatch(/^[a-z][a-z0-9]*:[a-z][A-Za-z0-9]*$/);
  });

  it('passes a valid input to its handler', async () => {
    seen.length = 0;
    expect(await dispatch(handlers, 'job:get', { key: 'k1' }, from)).toMatchObject({
      ok: false,
      failure: { kind: 'absent' },
    });
    expect(seen).toEqual([{ key: 'k1' }]);
  });

  it.each([
    ['job:get', {}, 'key'],
    ['job:get', { key: '' }, 'key'],
    ['job:submit', { connectionId: 'c', endpointId: 'e', operation: 'delete', inputText: '{}' }, 'operation'],
    [
      'job:submit',
      { connectionId: 'c', endpointId: 'e', operation: 'run', inputText: '{}', policy: { ttl: 9_999 } },
      'policy.ttl',
    ],
    ['job:extendTtl', { key: 'k', ttlMs: 1 }, 'ttlMs'],
    ['settings:change', { rateShare: 2 }, 'rateShare'],
    ['health:watch', { connectionId: 'c', endpointIds: ['a', ''] }, 'endpointIds.1'],
  ] as const)('refuses a bad input to %s, names the field and never runs the handler', async (name, input, field) => {
    seen.length = 0;
    const result = await dispatch(handlers, name, input, from);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'refused', field } });
    expect(seen).toEqual([]);
  });

  it('drops fields the contract does not name', async () => {
    seen.length = 0;
    await dispatch(handlers, 'job:get', { key: 'k1', admin: true }, from);
    expect(seen).toEqual([{ key: 'k1' }]);
  });
});
