import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxProcess, TEST_API_KEY, type SandboxProcess } from '../../kit/sandbox.ts';

const CLI = fileURLToPath(new URL('../../conformance/cli.ts', import.meta.url));
const TIME_SCALE = 60;
const RUN_MS = 60_000;
/** Rules of every area that need little waiting. */
const QUICK =
  'pod.id,auth,address,run.ttl,payload.run.over,status.failed,runsync.record,stream.drains,cancel.running,retry.reply,purge.running,ttl.error-form,webhook.method,template.unknown,limit.window';
const LINE = /^(pass|fail|not observable) {2}\S+ {2}\S.*\. {2}\((spec: |ruling |field notes: ).*\)/;

interface Ended {
  code: number;
  out: string;
  errors: string;
}

function conformance(...args: string[]): Promise<Ended> {
  return conformanceWith({}, ...args);
}

function conformanceWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, ...args],
      { env: { ...process.env, NODE_OPTIONS: '', ...env } },
      (error, out, errors) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, errors });
      },
    );
  });
}

let sandbox: SandboxProcess;
let target: string[];

beforeAll(async () => {
  sandbox = await startSandboxProcess({ args: ['--time-scale', String(TIME_SCALE)] });
  const { base_url, rest_url } = sandbox.ready;
  target = ['--base-url', base_url, '--rest-url', rest_url, '--endpoint', 'mock', '--time-scale', String(TIME_SCALE)];
});

afterAll(async () => {
  await sandbox.kill();
});

describe('the command line', () => {
  it(
    'checks a sandbox that runs faster than the clock, one line per rule, and ends with 0',
    async () => {
      const { code, out, errors } = await conformanceWith({ JOBDECK_KEY: TEST_API_KEY }, ...target, '--only', QUICK);
      const lines = out.trimEnd().split('\n');
      const summary = lines.pop();
      expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('fail'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('pass')).length).toBeGreaterThan(60);
      expect(summary).toMatch(
        new RegExp(`^${lines.length} rules, dialect spec: \\d+ pass, 0 fail, \\d+ not observable$`),
      );
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
    },
    RUN_MS,
  );

  it(
    'writes JSON, one object per rule and a last one with the counts',
    async () => {
      const { code, out } = await conformance(
        ...target,
        '--api-key',
        TEST_API_KEY,
        '--only',
        'health.form,ttl.default',
        '--json',
      );
      const [form, ttl, summary] = out
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(form).toMatchObject({ rule: 'health.form', verdict: 'pass', source: 'spec: Health record' });
      expect(ttl).toMatchObject({
        rule: 'ttl.default',
        verdict: 'not observable',
        detail: expect.stringContaining('--max-wait-s'),
      });
      expect(summary).toEqual({ summary: { pass: 1, fail: 0, 'not observable': 1 }, dialect: 'spec' });
      expect(code).toBe(0);
    },
    RUN_MS,
  );

  it(
    'ends with 1 if a rule fails, and never shows the key',
    async () => {
      const wrongKey = 'wrong-key-of-nobody';
      const { code, out, errors } = await conformance(
        ...target,
        '--api-key',
        wrongKey,
        '--only',
        'auth.bearer,auth.missing.health',
      );
      expect(out).toMatch(/^fail {2}auth\.bearer {2}/m);
      expect(out).toMatch(/^pass {2}auth\.missing\.health {2}/m);
      expect(`${out}${errors}`).not.toContain(wrongKey);
      expect(code).toBe(1);
    },
    RUN_MS,
  );

  it('does not find a one-letter key in every text', async () => {
    const short = await startSandboxProcess({ apiKey: 'k' });
    const { base_url } = short.ready;
    const only = ['--endpoint', 'mock', '--only', 'webhook.no-key'];
    const { code, out } = await conformanceWith({ JOBDECK_KEY: 'k' }, '--base-url', base_url, ...only);
    await short.kill();
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      'not observable  webhook.no-key  The call does not carry the API key.  (field notes: Webhook)  a key so short ' +
        'occurs in any text',
    ]);
  });

  it('ends with 1 and one sentence if no service answers', async () => {
    const { code, out, errors } = await conformance(
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key',
      TEST_API_KEY,
      '--endpoint',
      'mock',
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors).toMatch(/^conformance: The service at http:\/\/127\.0\.0\.1:9 does not answer: .+\n$/);
  });

  it('says in one sentence that the address is not the service, and runs no rule', async () => {
    const base = target[1] ?? '';
    for (const wrong of [
      ['--base-url', `${base}/elsewhere`],
      ['--endpoint', 'no-such-endpoint'],
    ]) {
      const { code, out, errors } = await conformance(...target, ...wrong, '--api-key', TEST_API_KEY);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(errors).toMatch(/^conformance: Nothing of the service answers at http:\S+: [^\n]*404[^\n]*\n$/);
    }
    const page = createServer((_request, response) => response.end('<h1>It works!</h1>'));
    const url = await new Promise<string>((resolve) => {
      page.listen(0, '127.0.0.1', () => {
        const at = page.address();
        resolve(`http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`);
      });
    });
    const { code, out, errors } = await conformance('--base-url', url, '--api-key', TEST_API_KEY, '--endpoint', 'mock');
    page.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors).toMatch(/^conformance: Nothing of the service answers at [^\n]+It works![^\n]+\n$/);
  });

  it.each(['/', '/v2', '/v2/', '//v2//'])('removes %s from the end of a base URL (ruling 28)', async (ending) => {
    const [, base = '', , rest = ''] = target;
    const { code, out } = await conformance(
      '--base-url',
      `${base}${ending}`,
      '--rest-url',
      `${rest}/v1`,
      '--endpoint',
      'mock',
      '--api-key',
      TEST_API_KEY,
      '--only',
      'health.form,template.unknown',
    );
    expect(out).toMatch(/^pass {2}health\.form {2}/m);
    expect(out).toMatch(/^pass {2}template\.unknown/m);
    expect(code).toBe(0);
  });

  it('lists the rules without a service', async () => {
    const { code, out } = await conformance('--list', '--only', 'purge');
    expect(code).toBe(0);
    expect(out).toMatch(/^purge\.running {2}Running jobs continue\. {2}\(spec: States and transitions\)$/m);
    expect(out).toMatch(/^\d+ rules$/m);
  });

  const refusals: [string, string[]][] = [
    ['no base URL', ['--api-key', 'k', '--endpoint', 'e']],
    ['no key', ['--base-url', 'http://127.0.0.1:9', '--endpoint', 'e']],
    ['a URL with a query', ['--base-url', 'http://127.0.0.1:9/?key=1', '--api-key', 'k', '--endpoint', 'e']],
    ['an invalid URL', ['--base-url', 'somewhere', '--api-key', 'k', '--endpoint', 'e']],
    [
      'an unknown dialect',
      ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k', '--endpoint', 'e', '--dialect', 'french'],
    ],
    [
      'a time scale of 0',
      ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k', '--endpoint', 'e', '--time-scale', '0'],
    ],
    ['an unknown rule', ['--list', '--only', 'no.such.rule']],
    ['an unknown flag', ['--fast']],
  ];
  it.each(refusals)('refuses %s with 2 and one sentence', async (_name, args) => {
    const { code, out, errors } = await conformance(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toMatch(/^conformance: [^\n]+\n$/);
  });
});
