import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  envValues,
  isEnvName,
  maskEnv,
  redactOutsideEnv,
  secretsForResults,
  valuesToRedact,
  maskedFailure,
} from '../../../src-main/service/mask-env.ts';
import { hiddenValue } from '../../../src-preload/pod-reading.ts';

const masked = (value: unknown): unknown => JSON.parse(maskEnv(JSON.stringify(value)));

describe('hiding env values in a reply', () => {
  it('keeps names and everything outside, and the spelling of both', () => {
    const raw =
      '{ "id":"p1",\n "costPerHr": 1.50,"big": 12345678901234567890, "env" : {"A":"secret","B":""}, "ports":["22/tcp"] }';
    expect(maskEnv(raw)).toBe(
      `{ "id":"p1",\n "costPerHr": 1.50,"big": 12345678901234567890, "env" : {"A":"${hiddenValue}","B":"${hiddenValue}"}, "ports":["22/tcp"] }`,
    );
  });

  it('covers every env, at any depth, in any form and under any of its names', () => {
    expect(
      masked({
        template: { env: { A: 'x' } },
        workers: [{ env: { B: 'y' } }, { id: 'w', deep: { Environment: { C: { D: ['z', 7, true] } } } }],
      }),
    ).toEqual({
      template: { env: { A: hiddenValue } },
      workers: [
        { env: { B: hiddenValue } },
        { id: 'w', deep: { Environment: { C: { D: [hiddenValue, hiddenValue, hiddenValue] } } } },
      ],
    });
    expect(masked({ env: [{ key: 'A', value: 'x' }] })).toEqual({ env: [{ key: hiddenValue, value: hiddenValue }] });
    expect(masked({ env: 'A=x', envVars: ['B=y'], environment_variables: 3, after: 'plain' })).toEqual({
      env: hiddenValue,
      envVars: [hiddenValue],
      environment_variables: hiddenValue,
      after: 'plain',
    });
    for (const name of [
      'env',
      'ENV',
      'envs',
      'environ',
      'environment',
      'envVars',
      'env_vars',
      'environmentVariables',
      'containerEnv',
      'podEnvVars',
      'docker_env',
      'runtime-env',
    ])
      expect(isEnvName(name)).toBe(true);
    for (const name of ['envelope', 'environmental', 'myenv', 'envelopes', 'id', ''])
      expect(isEnvName(name)).toBe(false);
  });

  it('is not bypassed by duplicate keys, escaped names or null', () => {
    expect(maskEnv('{"env":{"A":"one"},"env":{"A":"two"}}')).toBe(
      `{"env":{"A":"${hiddenValue}"},"env":{"A":"${hiddenValue}"}}`,
    );
    expect(maskEnv(String.raw`{"\u0065nv":{"A":"one"}}`)).toBe(String.raw`{"\u0065nv":{"A":"` + `${hiddenValue}"}}`);
    expect(masked({ env: null, a: 1 })).toEqual({ env: null, a: 1 });
    expect(masked({ env: { A: null } })).toEqual({ env: { A: null } });
  });

  it('leaves a value after an empty env, and values called env, unchanged', () => {
    expect(masked({ env: {}, name: 'n', list: [], env2: 'x' })).toEqual({ env: {}, name: 'n', list: [], env2: 'x' });
    expect(masked({ name: 'env', kind: ['env', 'x'] })).toEqual({ name: 'env', kind: ['env', 'x'] });
  });

  it('covers JSON within texts, however deep, and leaves other texts unchanged', () => {
    const deep = JSON.stringify({ spec: JSON.stringify({ env: { A: 'x' }, b: 1 }) });
    expect(masked({ raw: deep, note: '{not json', list: '[1]' })).toEqual({
      raw: JSON.stringify({ spec: JSON.stringify({ env: { A: hiddenValue }, b: 1 }) }),
      note: '{not json',
      list: '[1]',
    });
    expect(envValues(JSON.stringify({ raw: deep }))).toEqual(['x']);
  });

  it('hides texts that repeat a token, in whatever form it was set, and none that repeat other values', () => {
    const token = 'tok-0123456789';
    for (const env of [{ HF_TOKEN: token }, [{ name: 'HF_TOKEN', value: token }], [`HF_TOKEN=${token}`]]) {
      expect(masked({ env, said: `started with ${token}`, args: [token] })).toMatchObject({
        said: `started with ${hiddenValue}`,
        args: [hiddenValue],
      });
    }
    expect(
      masked({ env: { POD_ID: 'xedezhzb9la3ye', API_KEY: 'short' }, id: 'xedezhzb9la3ye', note: 'short' }),
    ).toMatchObject({ id: 'xedezhzb9la3ye', note: 'short' });
  });

  it('removes the key from everything but variables, which may contain it legitimately', () => {
    const raw = '{"env":{"API_KEY":"the-key"},"the-key":1,"said":"Bearer the-key","n":1.0}';
    expect(redactOutsideEnv(raw, (text) => text.replaceAll('the-key', '[key]'))).toBe(
      '{"env":{"API_KEY":"the-key"},"[key]":1,"said":"Bearer [key]","n":1.0}',
    );
  });

  it('returns JSON of the same form for any JSON, and leaves no env text in it', () => {
    const secret = fc.string({ minLength: 1 }).map((text) => `s3cr3t-${text}`);
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.string(), secret, { minKeys: 1 }),
        fc.boolean(),
        (around, env, isNested) => {
          const whole = isNested ? [around, { more: { env } }, around] : { before: around, env, after: around };
          const text = JSON.stringify(whole);
          const clean = maskEnv(text);
          const hide = (value: unknown, isHidden: boolean): unknown => {
            if (typeof value !== 'object' || value === null) return isHidden && value !== null ? hiddenValue : value;
            if (Array.isArray(value)) return value.map((each) => hide(each, isHidden));
            return Object.fromEntries(
              Object.entries(value).map(([name, each]) => [name, hide(each, isHidden || isEnvName(name))]),
            );
          };
          expect(JSON.parse(clean)).toEqual(hide(JSON.parse(text), false));
          expect(clean).not.toContain('s3cr3t-');
          for (const value of Object.values(env)) expect(envValues(text)).toContain(value);
        },
      ),
    );
  });
});

describe('a failure that quotes a pod', () => {
  const failure = { kind: 'malformed', message: 'm', mayHaveArrived: true } as const;

  it('hides env in a whole reply, and is cut before env in a broken one', () => {
    expect(
      maskedFailure({ ...failure, httpStatus: 200, serviceSaid: 'SECRET', rawReply: '[{"env":{"A":"SECRET"}}]' }),
    ).toEqual({ ...failure, httpStatus: 200, rawReply: `[{"env":{"A":"${hiddenValue}"}}]` });
    const broken = maskedFailure({ ...failure, httpStatus: 200, rawReply: '{"id":"p1","env":{"A":"SECRET' });
    expect(broken.rawReply).toMatch(/^\{"id":"p1",\n… cut here/);
  });

  it('keeps the text of an error', () => {
    const body = {
      ...failure,
      kind: 'not-found',
      httpStatus: 404,
      serviceSaid: 'pod not found',
      rawReply: '{"error":"pod not found"}',
    } as const;
    expect(maskedFailure(body)).toEqual(body);
    expect(maskedFailure({ ...failure, httpStatus: 502, rawReply: '<html>Bad gateway</html>' }).rawReply).toBe(
      '<html>Bad gateway</html>',
    );
  });

  it('is cut where its sentence begins to quote variables', () => {
    const said = (text: string): unknown =>
      maskedFailure({ ...failure, httpStatus: 400, serviceSaid: text, rawReply: JSON.stringify({ error: text }) });
    const cut = (text: string): unknown => ({
      ...failure,
      httpStatus: 400,
      serviceSaid: `${text} … cut here by Jobdeck: variables may follow`,
      rawReply: JSON.stringify({ error: `${text} … cut here by Jobdeck: variables may follow` }),
    });
    expect(said('Bad body {"env":{"A":"SECRET"}}')).toEqual(cut('Bad body {'));
    expect(said('Cannot take HF_TOKEN=SECRET')).toEqual(cut('Cannot take HF_TOKEN'));
    for (const text of [
      'No such environment',
      'env must be an object',
      'The envelope: {x}',
      'ports: 80/udp is no port',
    ])
      expect(said(text)).toMatchObject({ serviceSaid: text, rawReply: JSON.stringify({ error: text }) });
  });
});

describe('values removed from an error', () => {
  it('are those that may be a secret, and no numbers, switches or words of errors', () => {
    expect(valuesToRedact(['hf_secret', '1', '400', 'true', 'error', 'offline', 'offline', '12345678'])).toEqual([
      'hf_secret',
      'offline',
      '12345678',
    ]);
  });
});

describe('values of variables removed from results', () => {
  it('are those named like a secret that look like one, in whatever form the variables are', () => {
    const secret = 'hf_8sKqWmZ2vLxR71';
    for (const env of [
      { HF_TOKEN: secret },
      [{ name: 'AWS_SECRET_ACCESS_KEY', value: secret }],
      [`DB_PASSWORD=${secret}`],
      { apiKey: secret },
      { BASIC_AUTH: secret },
      { SPEC: JSON.stringify({ TOKEN: secret }) },
    ]) {
      expect([
        env,
        secretsForResults(
          JSON.stringify({ id: 'p', containerRegistryAuthId: 'clzdaifot0001', deep: [{ env }] }),
          false,
        ),
      ]).toEqual([env, [secret]]);
      expect([env, secretsForResults(JSON.stringify(env), true)]).toEqual([env, [secret]]);
    }
  });

  it('are no models, paths, addresses or sentences, which a result may contain legitimately', () => {
    const env = {
      TOKENIZER: 'mistralai/Mistral-7B',
      MAX_TOKENS: '4096',
      KEYCLOAK_URL: 'keycloak.example.test',
      AUTHOR: 'somebody-else',
      KEY_FILE_KEY: '/workspace/key.pem',
      TOKEN_KEY: 'https://example.test/token',
      PUBLIC_KEY: 'ssh-ed25519 AAAA me@host',
      SHORT_KEY: 'abc1234',
      MODEL: 'hf_8sKqWmZ2vLxR71',
    };
    expect(secretsForResults(JSON.stringify(env), true)).toEqual([]);
  });

  it.each([
    ['an export', 'export HF_TOKEN=hf_8sKqWmZ2vLxR71'],
    ['blanks around the sign', 'HF_TOKEN = hf_8sKqWmZ2vLxR71'],
    ['the end of a line of Windows', 'HF_TOKEN=hf_8sKqWmZ2vLxR71\r'],
    ['single quotes', "HF_TOKEN='hf_8sKqWmZ2vLxR71'"],
    ['double quotes and a comment', 'HF_TOKEN="hf_8sKqWmZ2vLxR71" # of production'],
    ['a comment', 'HF_TOKEN=hf_8sKqWmZ2vLxR71 # of production'],
  ])('finds the value itself in a line of a pasted .env file with %s', (_, line) => {
    expect(secretsForResults(JSON.stringify(['# all', line]), true)).toContain('hf_8sKqWmZ2vLxR71');
  });
});

describe('values of variables kept in results, because they may not be secret', () => {
  const kept = (env: Record<string, string>): void => {
    for (const [name, value] of Object.entries(env))
      expect([name, value, secretsForResults(JSON.stringify({ [name]: value }), true)]).toEqual([name, value, []]);
  };

  it('include those whose variable only begins with such a word, or is named public', () => {
    const value = 'q8Zk2Vb7Wx4Lm9Tn5Rc1';
    kept({
      MODEL_TOKEN_LIMIT: value,
      AWS_ACCESS_KEY_ID: value,
      BUCKET_ACCESS_KEY: value,
      PASSWORD_FILE: value,
      SECRET_NAME: value,
      KEY_PREFIX: value,
      KEYBOARD: value,
      TOKENIZER: value,
      MONKEY: value,
      PUBLIC_KEY: value,
      STRIPE_PUBLISHABLE_KEY: value,
      CACHE_KEY: value,
      OBJECT_KEYS: value,
      idempotencyKey: value,
    });
    for (const name of [
      'AWS_SECRET_ACCESS_KEY',
      'HF_TOKEN',
      'apiKey',
      'OPENAI_API_KEY_2',
      'APIKEY',
      'PGPASSWORD',
      'DB_PASSWORD',
      'secret',
      'API_KEYS',
    ])
      expect([name, secretsForResults(JSON.stringify({ [name]: value }), true)]).toEqual([name, [value]]);
  });

  it('include a word, a number, a date, a model, a file or a storage id', () => {
    const values = [
      'production',
      'true',
      '131072000',
      '20240718120000',
      '20240718T120000Z',
      'minioadmin',
      'correct-horse-battery-staple',
      'mistralai/Mistral-7B-Instruct-v0.3',
      'gpt-4o-mini-2024-07-18',
      'maxTokensPerRequest',
      'sha256WithRSAEncryption',
      'config/password.txt',
      'customer_created_at',
      'AKIAIOSFODNN7EXAMPLE',
      'AKIAQ3Z7K2W5XJ4V6B2N',
      'localhost:6379',
      'Geheimnisträger2Ä3ö4ü5',
    ];
    for (const value of values) kept({ TOKEN: value, API_KEY: value, DB_PASSWORD: value, secret: value });
  });

  it('exclude everything as long and unlike words as secrets are', () => {
    const values = [
      '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',
      'sk-proj-Ab3_xY9Lm2Qr7Tz4Vw8Nk1Pj6',
      '9f86d081884c7d659a2feaa0c55ad015',
      '3f2b8c1e-5d7a-4e9b-8c6d-1a2b3c4d5e6f',
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
    ];
    for (const value of values)
      expect([value, secretsForResults(JSON.stringify({ API_KEY: value }), true)]).toEqual([value, [value]]);
  });
});

describe('a reply that is one text of many megabytes', () => {
  it('is masked without a stack overflow', () => {
    const note = '"x\n'.repeat(3_500_000);
    const masked: unknown = JSON.parse(
      maskEnv(JSON.stringify({ env: { HF_TOKEN: 'hf_secret_value' }, note }), ['hf_secret_value']),
    );
    expect(masked).toHaveProperty('note.length', note.length);
    expect(masked).not.toHaveProperty('env.HF_TOKEN', 'hf_secret_value');
  });
});

it('values at any depth are masked and found', () => {
  const deep = (inner: string): string => `${'[{"a":'.repeat(50_000)}${inner}${'}]'.repeat(50_000)}`;
  expect(maskEnv(deep('{"env":{"TOKEN":"abcdefgh-1"}}'))).toBe(
    deep(`{"env":{"TOKEN":${JSON.stringify(hiddenValue)}}}`),
  );
  expect(envValues(deep('{"env":{"A":["x",{"name":"B","value":"y"}]}}'))).toEqual(['x', 'B', 'y']);
  expect(
    maskedFailure({
      kind: 'server',
      message: 'm',
      httpStatus: 500,
      mayHaveArrived: true,
      rawReply: `${'['.repeat(30_000)}"TOKEN=abc"${']'.repeat(30_000)}`,
    }).rawReply,
  ).toBe(`${'['.repeat(30_000)}"TOKEN … cut here by Jobdeck: variables may follow"${']'.repeat(30_000)}`);
});

// A pattern that begins again at each "env" would take minutes for this.
it('a sentence without an end is searched for variables once', () => {
  const said = `x${'env'.repeat(200_000)}`;
  expect(
    maskedFailure({ kind: 'server', message: 'm', httpStatus: 500, mayHaveArrived: true, serviceSaid: said }),
  ).toMatchObject({ serviceSaid: said });
});
