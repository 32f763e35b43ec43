import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envValues, isEnvName, maskEnv } from '../../../src-main/pod/mask-env.ts';
import { maskedFailure } from '../../../src-main/pod/masked-failure.ts';
import { hiddenValue } from '../../../src-preload/pod-look.ts';

const masked = (value: unknown): unknown => JSON.parse(maskEnv(JSON.stringify(value)));

describe('hiding env values in a reply', () => {
  it('keeps names and everything outside, and the spelling of both', () => {
    const raw = '{ "id":"p1",\n "costPerHr": 1.50,"big": 12345678901234567890, "env" : {"A":"secret","B":""}, "ports":["22/tcp"] }';
    expect(maskEnv(raw)).toBe(`{ "id":"p1",\n "costPerHr": 1.50,"big": 12345678901234567890, "env" : {"A":"${hiddenValue}","B":"${hiddenValue}"}, "ports":["22/tcp"] }`);
  });

  it('reaches every env, at any depth, in any form and under any of its names', () => {
    expect(masked({ template: { env: { A: 'x' } }, workers: [{ env: { B: 'y' } }, { id: 'w', deep: { Environment: { C: { D: ['z', 7, true] } } } }] }))
      .toEqual({ template: { env: { A: hiddenValue } }, workers: [{ env: { B: hiddenValue } }, { id: 'w', deep: { Environment: { C: { D: [hiddenValue, hiddenValue, hiddenValue] } } } }] });
    expect(masked({ env: [{ key: 'A', value: 'x' }] })).toEqual({ env: [{ key: hiddenValue, value: hiddenValue }] });
    expect(masked({ env: 'A=x', envVars: ['B=y'], environment_variables: 3, after: 'plain' })).toEqual({ env: hiddenValue, envVars: [hiddenValue], environment_variables: hiddenValue, after: 'plain' });
    for (const name of ['env', 'ENV', 'envs', 'environment', 'envVars', 'env_vars', 'environmentVariables']) expect(isEnvName(name)).toBe(true);
    for (const name of ['envelope', 'environmental', 'myenv', 'envelopes', 'id', '']) expect(isEnvName(name)).toBe(false);
  });

  it('is not passed by by doubled keys, escaped names or null', () => {
    expect(maskEnv('{"env":{"A":"one"},"env":{"A":"two"}}')).toBe(`{"env":{"A":"${hiddenValue}"},"env":{"A":"${hiddenValue}"}}`);
    expect(maskEnv(String.raw`{"\u0065nv":{"A":"one"}}`)).toBe(String.raw`{"\u0065nv":{"A":"` + `${hiddenValue}"}}`);
    expect(masked({ env: null, a: 1 })).toEqual({ env: null, a: 1 });
    expect(masked({ env: { A: null } })).toEqual({ env: { A: null } });
  });

  it('leaves a value after an empty env, and values called env, alone', () => {
    expect(masked({ env: {}, name: 'n', list: [], env2: 'x' })).toEqual({ env: {}, name: 'n', list: [], env2: 'x' });
    expect(masked({ name: 'env', kind: ['env', 'x'] })).toEqual({ name: 'env', kind: ['env', 'x'] });
  });

  it('is JSON of the same form whatever JSON it is given, and no env text is left in it', () => {
    const secret = fc.string({ minLength: 1 }).map((text) => `s3cr3t-${text}`);
    fc.assert(fc.property(fc.jsonValue(), fc.dictionary(fc.string(), secret, { minKeys: 1 }), fc.boolean(), (around, env, isNested) => {
      const whole = isNested ? [around, { more: { env } }, around] : { before: around, env, after: around };
      const text = JSON.stringify(whole);
      const clean = maskEnv(text);
      const hide = (value: unknown, isHidden: boolean): unknown => {
        if (typeof value !== 'object' || value === null) return isHidden && value !== null ? hiddenValue : value;
        if (Array.isArray(value)) return value.map((each) => hide(each, isHidden));
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hide(each, isHidden || isEnvName(name))]));
      };
      expect(JSON.parse(clean)).toEqual(hide(JSON.parse(text), false));
      expect(clean).not.toContain('s3cr3t-');
      for (const value of Object.values(env)) expect(envValues(text)).toContain(value);
    }));
  });
});

describe('a failure that quotes a pod', () => {
  const failure = { kind: 'malformed', message: 'm', mayHaveArrived: true } as const;

  it('hides env in a whole reply, and is cut before env in a broken one', () => {
    expect(maskedFailure({ ...failure, httpStatus: 200, serviceSaid: 'SECRET', rawReply: '[{"env":{"A":"SECRET"}}]' })).toEqual({ ...failure, httpStatus: 200, rawReply: `[{"env":{"A":"${hiddenValue}"}}]` });
    const broken = maskedFailure({ ...failure, httpStatus: 200, rawReply: '{"id":"p1","env":{"A":"SECRET' });
    expect(broken.rawReply).toMatch(/^\{"id":"p1",\n… cut here/);
  });

  it('keeps what an error says', () => {
    const body = { ...failure, kind: 'not-found', httpStatus: 404, serviceSaid: 'pod not found', rawReply: '{"error":"pod not found"}' } as const;
    expect(maskedFailure(body)).toEqual(body);
    expect(maskedFailure({ ...failure, httpStatus: 502, rawReply: '<html>Bad gateway</html>' }).rawReply).toBe('<html>Bad gateway</html>');
  });
});
