import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CurlParts } from '../../../src-main/service/curl.ts';
import { codeForSubmission } from '../../../src-main/service/request-code.ts';
import { buildSubmissionBody } from '../../../src-main/service/submission-body.ts';
import type { CodeLanguage } from '../../../src-preload/request-code.ts';

const parts: CurlParts = {
  baseUrl: 'https://queue.example.test',
  endpointId: 'w3k9',
  operation: 'run',
  authorization: 'bearer',
  inputText: '{"a":1}',
};
const environment = { JOBDECK_KEY: 'the-key', JOBDECK_S3_SECRET: 'a "quoted" \\ secret' };
const s3Config = { accessId: 'id', bucketName: 'b' };

/** Texts that would end a string or begin code in one of the languages. */
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '$env:X',
        '${x}',
        '\\',
        '\n',
        '\r',
        '\u2028',
        '\u2019',
        '\u201b',
        '"""',
        '#',
        '%s',
        '\0',
        '😀',
      ),
    )
    .map((texts) => texts.join('')),
);
const inputOf = (text: string): string =>
  JSON.stringify({ text, big: 1 }).replace('"big":1', '"big":12345678901234567890');

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What the fetch code sends, in a real engine. */
async function fetched(code: string): Promise<Sent> {
  const sent: Sent[] = [];
  const fetch = (url: string, { headers, body }: Omit<Sent, 'url'>) => {
    sent.push({ url, headers: { ...headers }, body });
    return Promise.resolve({ json: () => Promise.resolve({}) });
  };
  await runInNewContext(`(async () => {${code}\n})()`, { fetch, process: { env: environment }, console: { log() {} } });
  const [first] = sent;
  if (first === undefined || sent.length > 1) throw new Error(`${sent.length} requests were sent.`);
  return first;
}

/** What the SDK is asked for, in a real engine. */
async function askedOfSdk(code: string): Promise<unknown[]> {
  const asked: unknown[] = [];
  const call = (name: string) => (request: unknown, wait?: number) => {
    asked.push(name, JSON.stringify(request), wait);
    return Promise.resolve({ id: 'x', output: 1 });
  };
  const runpodSdk = (key: string, { baseUrl }: { baseUrl: string }) => {
    asked.push(key, baseUrl);
    return {
      endpoint: (id: string) => {
        asked.push(id);
        return { run: call('run'), runSync: call('runSync') };
      },
    };
  };
  const plain = code.replace("import runpodSdk from 'runpod-sdk';", '');
  await runInNewContext(`(async () => {${plain}\n})()`, {
    runpodSdk,
    process: { env: environment },
    console: { log() {} },
  });
  return asked;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-code-'));
  writeFileSync(
    join(folder, 'runpod.py'),
    `import json
class Endpoint:
    def __init__(self, id): self.id = id
    def say(self, name, request, timeout=None):
        print(json.dumps([api_key, endpoint_url_base, self.id, name, request, timeout]))
        return self
    job_id = 'x'
    def run(self, request): return self.say('run', request)
    def run_sync(self, request, timeout=None): return self.say('run_sync', request, timeout)
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What the Python SDK is asked for, by a real Python. */
function askedOfPython(code: string): unknown {
  const env = { ...process.env, ...environment, PYTHONPATH: folder, PYTHONIOENCODING: 'utf-8' };
  const printed = execFileSync('python3', ['-'], { input: code, env, encoding: 'utf8' });
  return JSON.parse(printed.split('\n')[0] ?? '');
}

/** The strings of a PowerShell script that stand in single quotes, read as its specification says. */
function quotedStrings(script: string): string[] {
  const isQuote = (char: string | undefined): boolean => char !== undefined && /['\u2018-\u201b]/.test(char);
  const found: string[] = [];
  const chars = [...script];
  for (let at = 0; at < chars.length; at += 1) {
    if (!isQuote(chars[at])) continue;
    let text = '';
    for (at += 1; at < chars.length; at += 1) {
      if (isQuote(chars[at])) {
        if (!isQuote(chars[at + 1])) break;
        at += 1;
      }
      text += chars[at] ?? '';
    }
    found.push(text);
  }
  return found;
}

describe('a submission as code', () => {
  const languages: CodeLanguage[] = ['curl', 'powershell', 'fetch', 'sdk-js', 'sdk-python'];

  it.each(languages)('in %s reads the key and the secret from variables', (language) => {
    const code = codeForSubmission({ ...parts, s3Config }, language);
    expect(code).toContain('JOBDECK_KEY');
    expect(code).toContain('JOBDECK_S3_SECRET');
    expect(code).not.toContain('\u0001');
  });

  it('sends by fetch exactly the address, headers and body', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const inputText = inputOf(text);
        expect(await fetched(codeForSubmission({ ...parts, inputText }, 'fetch'))).toEqual({
          url: 'https://queue.example.test/v2/w3k9/run',
          headers: { authorization: 'Bearer the-key', 'content-type': 'application/json' },
          body: buildSubmissionBody({ inputText }),
        });
      }),
    );
    const { body, headers } = await fetched(codeForSubmission({ ...parts, authorization: 'bare', s3Config }, 'fetch'));
    expect(JSON.parse(body)).toMatchObject({ s3Config: { accessSecret: environment.JOBDECK_S3_SECRET } });
    expect(headers['authorization']).toBe('the-key');
  });

  it('sends the same request with the JavaScript SDK', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const inputText = JSON.stringify({ text });
        expect(await askedOfSdk(codeForSubmission({ ...parts, inputText }, 'sdk-js'))).toEqual([
          'the-key',
          'https://queue.example.test/v2',
          'w3k9',
          'run',
          buildSubmissionBody({ inputText }),
          undefined,
        ]);
      }),
    );
    const synchronous = { ...parts, operation: 'runsync', waitMs: 120_000, endpointId: 'a\'b"' } as const;
    expect((await askedOfSdk(codeForSubmission(synchronous, 'sdk-js'))).slice(2)).toEqual([
      'a\'b"',
      'runSync',
      '{"input":{"a":1}}',
      120_000,
    ]);
  });

  it.runIf(hasPython)('sends the same request with the Python SDK, in a real Python', () => {
    const texts = fc.sample(
      nasty.filter((text) => text.isWellFormed()),
      { numRuns: 40, seed: 7 },
    );
    const inputText = `[${texts.map((text) => inputOf(text)).join(',')}]`;
    const asked = askedOfPython(codeForSubmission({ ...parts, inputText, s3Config }, 'sdk-python'));
    expect(asked).toEqual([
      'the-key',
      'https://queue.example.test/v2',
      'w3k9',
      'run',
      JSON.parse(
        buildSubmissionBody({ inputText, s3Config: { ...s3Config, accessSecret: environment.JOBDECK_S3_SECRET } }),
      ),
      null,
    ]);
    const synchronous = { ...parts, operation: 'runsync', waitMs: 90_500 } as const;
    expect(askedOfPython(codeForSubmission(synchronous, 'sdk-python'))).toMatchObject({ 3: 'run_sync', 5: 91 });
  });

  it('uses PowerShell strings that no text can break out of', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const inputText = inputOf(text);
        expect(quotedStrings(codeForSubmission({ ...parts, inputText }, 'powershell'))).toEqual([
          buildSubmissionBody({ inputText }),
          'https://queue.example.test/v2/w3k9/run',
          'application/json',
        ]);
      }),
    );
  });
});
