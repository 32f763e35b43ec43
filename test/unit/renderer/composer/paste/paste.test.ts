import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeForSubmission } from '../../../../../src-main/service/request-code.ts';
import type { CurlParts } from '../../../../../src-main/service/curl.ts';
import type { CodeLanguage } from '../../../../../src-preload/request-code.ts';
import { emptyDraft } from '../../../../../src-renderer/composer/composer-draft.ts';
import { formatJson } from '../../../../../src-preload/format-json.ts';
import { fillDraft, type FilledDraft } from '../../../../../src-renderer/composer/paste/fill-draft.ts';
import { readRequest } from '../../../../../src-renderer/composer/paste/read-request.ts';

const connections = [
  {
    id: 'c1',
    baseUrl: 'https://other.test',
    endpoints: [{ id: 'image', label: '', flavour: 'image' as const }],
  },
  {
    id: 'c2',
    baseUrl: 'https://queue.example',
    endpoints: [{ id: 'image', label: '', flavour: 'image' as const }],
  },
];

function filled(text: string): FilledDraft {
  const request = readRequest(text);
  const result = request === null ? null : fillDraft(emptyDraft('c1', 'text'), request, connections);
  if (result === null) throw new Error(`Not read: ${text}`);
  return result;
}

const key = 'rpa_0123456789ABCDEF';
const url = 'https://queue.example/v2/image/run';

describe('Jobdeck’s own code snippets', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom("'", '"', '\\', '$', '`', '^', '\n', '\u2019', '{{', '%', 'é', '😀', '#', '//', ')'),
    }),
  );
  const input = fc
    .dictionary(text, fc.oneof(text, fc.jsonValue(), fc.integer()), { maxKeys: 4 })
    .chain((value) => fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 2)));
  const parts = fc.record({
    input,
    isSync: fc.boolean(),
    waitMs: fc.integer({ min: 1, max: 300 }).map((seconds) => seconds * 1_000),
    executionTimeout: fc.option(fc.integer({ min: 5_000, max: 604_800_000 }), { nil: undefined }),
    lowPriority: fc.option(fc.constant(true), { nil: undefined }),
    webhook: fc.option(fc.constant("https://hook.test/a?b='c'"), { nil: undefined }),
    hasS3: fc.boolean(),
  });

  it.each<CodeLanguage>(['curl', 'powershell', 'fetch', 'sdk-js', 'sdk-python'])(
    'are read back into the form, as %s',
    (language) => {
      fc.assert(
        fc.property(parts, (given) => {
          const submission: CurlParts = {
            baseUrl: 'https://queue.example',
            endpointId: 'image',
            authorization: 'bearer',
            operation: given.isSync ? 'runsync' : 'run',
            inputText: given.input,
            ...(given.isSync ? { waitMs: given.waitMs } : {}),
            policy: {
              ...(given.executionTimeout === undefined ? {} : { executionTimeout: given.executionTimeout }),
              ...(given.lowPriority === undefined ? {} : { lowPriority: true }),
            },
            ...(given.webhook === undefined ? {} : { webhook: given.webhook }),
            ...(given.hasS3 ? { s3Config: { accessId: 'id', bucketName: 'b', endpointUrl: 'https://s3.test' } } : {}),
          };
          const { draft, notes } = filled(codeForSubmission(submission, language));
          expect(draft.inputText).toBe(given.input.includes('\n') ? given.input : formatJson(given.input));
          expect(draft).toMatchObject({
            connectionId: 'c2',
            endpointId: 'image',
            operation: submission.operation,
            webhook: given.webhook ?? '',
            isLowPriority: given.lowPriority ?? false,
            s3ProfileId: '',
          });
          expect(draft.waitText === '').toBe(!given.isSync);
          expect(draft.executionTimeoutText === '').toBe(given.executionTimeout === undefined);
          expect(notes.some((note) => note.startsWith('S3 settings were left out'))).toBe(given.hasS3);
        }),
        { numRuns: 80 },
      );
    },
  );

  it.each<CodeLanguage>(['curl', 'fetch', 'sdk-js', 'sdk-python'])(
    'with an input about PowerShell are not read as PowerShell, as %s',
    (language) => {
      for (const word of ['irm', '; irm ', '\n irm ', 'Invoke-RestMethod', '= Invoke-WebRequest -Body ']) {
        const inputText = JSON.stringify({ prompt: word });
        const code = codeForSubmission(
          {
            baseUrl: 'https://queue.example',
            endpointId: 'image',
            authorization: 'bearer',
            operation: 'run',
            inputText,
            policy: {},
          },
          language,
        );
        expect(filled(code).draft).toMatchObject({ endpointId: 'image', inputText: formatJson(inputText) });
      }
    },
  );
});

describe('a curl command', () => {
  it.each([
    ['bash', `curl -sS -XPOST '${url}' -H 'Authorization: Bearer ${key}' -d '{"input": {"a": "it'\\''s"}}'`, "it's"],
    [
      'bash, double quotes',
      `$ curl "${url}" \\\n  -H "Authorization: ${key}" --data-raw "{\\"input\\": {\\"a\\": \\"x\\"}}"`,
      'x',
    ],
    [
      'a browser’s bash',
      `curl '${url}' -H 'authorization: ${key}' --data-raw $'{"input":{"a":"it\\'s \\u0021"}}' --compressed`,
      "it's !",
    ],
    [
      'a browser’s cmd',
      `curl ^"${url}^" ^\r\n  -H ^"authorization: ${key}^" ^\r\n  --data-raw ^"^{^\\^"input^\\^":^{^\\^"a^\\^":^\\^"x ^& y^\\^"^}^}^"`,
      'x & y',
    ],
    [
      'cmd',
      `curl -X POST ${url} ^\n -H "Authorization: Bearer ${key}" ^\n -d "{\\"input\\": {\\"a\\": \\"x\\"}}"`,
      'x',
    ],
    [
      'PowerShell',
      `curl.exe -X POST \`\n  -H 'Authorization: Bearer ${key}' \`\n  -d '{\\"input\\": {\\"a\\": \\"it''s\\"}}' \`\n  ${url}`,
      "it's",
    ],
    [
      'a here-document',
      `curl ${url} -H "authorization: ${key}" --data-binary @- <<'EOF'\n{"input": {"a": "x"}}\nEOF\necho done`,
      'x',
    ],
    ['two commands', `export A=1; curl ${url} -H "authorization: ${key}" --json '{"input": {"a": "x"}}' | jq .`, 'x'],
  ])('of %s is read, and its key is dropped', (_shell, text, a) => {
    expect(readRequest(text)?.key).toBe(key);
    const result = filled(text);
    expect(JSON.parse(result.draft.inputText)).toEqual({ a });
    expect(result.draft).toMatchObject({ connectionId: 'c2', endpointId: 'image', operation: 'run' });
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it('names what it could not read', () => {
    const fromFile = readRequest(`curl ${url} -d @body.json`);
    expect(fromFile?.unread).toEqual(['The body is in the file body.json. Drop that file on the input.']);
    expect(fromFile === null ? 0 : fillDraft(emptyDraft('c1', 'text'), fromFile, connections)).toBeNull();
    const { draft, notes } = filled(
      `curl https://queue.example/v2/elsewhere/runsync?wait=90000 -d '{"input":{}, "policy": {"ttl": "long"}, "s3Config": {}, "extra": 1}'`,
    );
    expect(draft).toMatchObject({
      endpointId: 'text',
      connectionId: 'c1',
      operation: 'runsync',
      waitText: '1 min 30 s',
    });
    expect(notes).toEqual([
      'The endpoint elsewhere is not in your connections, so it is unchanged.',
      'The policy’s ttl is not a number of milliseconds, so it was skipped.',
      'S3 settings were left out: choose an S3 profile instead.',
      'Left out, because a submission has no such field: extra.',
    ]);
  });

  it('that repeats its key in the input loses it there too', () => {
    const result = filled(`curl ${url} -H 'Authorization: Bearer ${key}' -d '{"input": {"token": "${key}"}}'`);
    expect(JSON.stringify(result)).not.toContain(key);
    expect(result.notes).toEqual(['The input repeats the key; it is now [key] there.']);
  });

  it('that repeats its key anywhere else in the body loses it there too', () => {
    const body = `{"input": {"a": 1}, "webhook": "https://hooks.example/?key=${key}", "${key}": 1}`;
    const result = filled(`curl ${url} -H 'Authorization: Bearer ${key}' -d '${body}'`);
    expect(result.draft.webhook).toBe('https://hooks.example/?key=[key]');
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it('is found behind options with values', () => {
    const result = filled(`curl -sS -D - --noproxy '*' --max-filesize 1000 ${url} -d '{"input": {"a": 1}}'`);
    expect(result.draft).toMatchObject({ endpointId: 'image', operation: 'run' });
  });

  it('with a variable in place of a key has none', () => {
    for (const shown of ['Bearer $KEY', 'Bearer ${KEY}', '%KEY%', 'Bearer YOUR_API_KEY', '<key>'])
      expect(readRequest(`curl ${url} -H "Authorization: ${shown}" -d '{"input":{}}'`)?.key).toBeNull();
  });
});

describe('other snippets', () => {
  it.each([
    [
      'fetch with an object',
      `await fetch('${url}', { method: "POST", headers: { 'Authorization': 'Bearer ${key}' },\n body: JSON.stringify({ input: { a: 'x', n: 0x10, list: [1, .5, true, null,], }, }) });`,
    ],
    [
      'fetch with a variable',
      `const input = { a: "x", n: 16, list: [1, 0.5, true, null] };\nconst body = { input };\nfetch("${url}", { headers: { authorization: "${key}" }, body: JSON.stringify(body) })`,
    ],
    [
      'the sdk for JavaScript',
      `import runpodSdk from "runpod-sdk";\nconst runpod = runpodSdk("${key}");\nconst endpoint = runpod.endpoint("image");\nconst r = await endpoint.run({ "input": { "a": "x", n: 16, /* note */ list: [1, 0.5, true, null] } });`,
    ],
    [
      'the sdk for Python',
      `import runpod\nrunpod.api_key = "${key}"\nendpoint = runpod.Endpoint("image")\nrun = endpoint.run(\n    {"input": {"a": "x", 'n': 16, "list": [1, 0.5, True, None]}}  # here\n)`,
    ],
    [
      'the sdk for Python without an input',
      `import runpod\nrunpod.api_key = '${key}'\nrunpod.Endpoint("image").run({"a": "x", "n": 16, "list": [1, 0.5, True, None]})`,
    ],
    [
      'requests',
      `requests.post("${url}", headers={"Authorization": "Bearer ${key}"}, json={"input": {"a": "x", "n": 16, "list": [1, 0.5, True, None]}})`,
    ],
    [
      'HTTP',
      `POST /v2/image/run HTTP/1.1\r\nHost: queue.example\r\nAuthorization: Bearer ${key}\r\n\r\n{"input": {"a": "x", "n": 16, "list": [1, 0.5, true, null]}}`,
    ],
    [
      'PowerShell',
      `$headers = @{ "Authorization" = "Bearer ${key}" }\nInvoke-RestMethod -Uri "${url}" -Method Post -Headers $headers -Body '{"input": {"a": "x", "n": 16, "list": [1, 0.5, true, null]}}'`,
    ],
  ])('%s', (_name, text) => {
    expect(readRequest(text)?.key).toBe(key);
    const result = filled(text);
    expect(JSON.parse(result.draft.inputText)).toEqual({ a: 'x', n: 16, list: [1, 0.5, true, null] });
    expect(result.draft).toMatchObject({ endpointId: 'image', operation: 'run' });
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it('keep the digits of numbers, and code that would have to run is reported', () => {
    const { draft, notes } = filled(
      `fetch("${url}", { method: "POST", body: JSON.stringify({ input: { seed: 12345678901234567890, at: Date.now(), p: \`a \${b} c\` } }) })`,
    );
    expect(draft.inputText).toBe('{\n  "seed": 12345678901234567890,\n  "at": null,\n  "p": "a  c"\n}');
    expect(notes).toEqual(['A part of the body is made when the code runs, and was left out.']);
  });

  it('may contain a number that is none', () => {
    expect(filled(`fetch("${url}", { body: JSON.stringify({ input: { a: 0x_, b: 2 } }) })`).draft.inputText).toContain(
      '2',
    );
  });

  // An expression that begins again at each sign would take minutes here, and the window would stand still.
  it.each([
    ['a long line of parameters', 'x&Signature=1'.repeat(200_000)],
    ['many empty lines', `x${'\n'.repeat(300_000)}`],
    ['many spaces', `x;${' '.repeat(300_000)}`],
  ])('are not in %s', (_name, text) => {
    expect(readRequest(text)).toBeNull();
  });

  it('are recognised only as such, and any pasted text is read without failing', () => {
    for (const other of ['', '{"prompt": "curl https://x -d 1"}', 'A red kettle', 'curling is fun', '[1]', 'POST'])
      expect(readRequest(other)).toBeNull();
    const piece = fc.constantFrom(
      'curl ',
      'fetch(',
      'import runpod\n',
      'runpodSdk(',
      '.run(',
      '.endpoint(',
      'POST / \n',
      '-d ',
      "'",
      '"',
      '`',
      '{',
      '}',
      '(',
      ')',
      '\\',
      '^',
      '\n',
      'input',
      ':',
      '$',
      '<<',
      'a',
      '=',
      '+',
      ',',
      '${',
      'Invoke-RestMethod -Body ',
      '@',
      '[',
      '//',
      '#',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const request = readRequest(pieces.join(''));
        if (request !== null) fillDraft(emptyDraft('c1', 'text'), request, connections);
      }),
      { numRuns: 2_000 },
    );
  });
});
