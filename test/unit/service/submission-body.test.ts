import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bodyBytes,
  overSize,
  buildSubmissionBody,
  checkSubmission,
} from '../../../src-main/service/submission-body.ts';
import type { SubmissionParts } from '../../../src-main/service/submission-body.ts';

const good: SubmissionParts = { operation: 'run', inputText: '{"prompt":"hi"}' };

describe('the body', () => {
  it('contains every part by the names of the specification', () => {
    expect(
      buildSubmissionBody({
        inputText: '{"a":1}',
        policy: { executionTimeout: 60_000, lowPriority: true, ttl: 120_000 },
        webhook: ' https://example.test/hook ',
        s3Config: { accessId: 'id', accessSecret: 's', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
      }),
    ).toBe(
      '{"input":{"a":1},"webhook":"https://example.test/hook","policy":{"executionTimeout":60000,"lowPriority":true,"ttl":120000},"s3Config":{"accessId":"id","accessSecret":"s","bucketName":"b","endpointUrl":"https://s3.example.test"}}',
    );
  });

  it('omits empty parts', () => {
    expect(buildSubmissionBody({ inputText: '{}', policy: {}, webhook: '  ', s3Config: { bucketName: '' } })).toBe(
      '{"input":{}}',
    );
  });

  it('includes the typed text unchanged: big numbers, duplicate keys, order and spacing survive', () => {
    const inputText = '\n{ "seed": 12345678901234567890, "b": 1.0,\t"a": [1e400], "b": 2 }\n';
    expect(buildSubmissionBody({ inputText, policy: { ttl: 10_000 } })).toBe(
      `{"input":${inputText},"policy":{"ttl":10000}}`,
    );
  });

  it('is JSON with the same input for every input', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (input, webhook) => {
        const body: unknown = JSON.parse(buildSubmissionBody({ inputText: JSON.stringify(input, null, 2), webhook }));
        expect(body).toMatchObject({ input: JSON.parse(JSON.stringify(input)) });
      }),
    );
  });
});

describe('checks before sending', () => {
  it('return the body and its bytes', () => {
    expect(checkSubmission({ ...good, inputText: '{"ä":"😀"}' })).toEqual({
      ok: true,
      value: { body: '{"input":{"ä":"😀"}}', bodyBytes: 23 },
    });
  });

  it('report line, column and reason of broken JSON', () => {
    expect(checkSubmission({ ...good, inputText: '{\n  "a": tru\n}' })).toEqual({
      ok: false,
      failure: {
        kind: 'refused',
        field: 'inputText',
        message: 'Line 2, column 8: Expected a value. Did you mean true?',
        position: { line: 2, column: 8 },
      },
    });
  });

  it('refuse half of a character, which would be sent as another one', () => {
    expect(checkSubmission({ ...good, inputText: '{\n "a": "x\ud83d"}' })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'inputText', position: { line: 2, column: 9 } },
    });
    expect(checkSubmission({ ...good, inputText: '{"a":"\\ud83d"}' }).ok).toBe(true);
  });

  it.each([
    ['[1]', 'a list'],
    ['"text"', 'a text'],
    ['4', 'a number'],
    ['null', 'null'],
    ['\n true', 'a boolean'],
  ])('refuse the input %j, which is %s', (inputText, found) => {
    const refused = checkSubmission({ ...good, inputText });
    expect(refused).toMatchObject({
      ok: false,
      failure: {
        kind: 'refused',
        field: 'inputText',
        position: inputText.startsWith('\n') ? { line: 2, column: 2 } : { line: 1, column: 1 },
      },
    });
    expect(!refused.ok && refused.failure.message).toContain(`this is ${found}.`);
  });

  it.each<[Partial<SubmissionParts>, string]>([
    [{ policy: { executionTimeout: 4_999 } }, 'policy.executionTimeout'],
    [{ policy: { executionTimeout: 604_800_001 } }, 'policy.executionTimeout'],
    [{ policy: { executionTimeout: 5_000.5 } }, 'policy.executionTimeout'],
    [{ policy: { ttl: 9_999 } }, 'policy.ttl'],
    [{ policy: { ttl: 604_800_001 } }, 'policy.ttl'],
    [{ webhook: 'example.test/hook' }, 'webhook'],
    [{ webhook: 'ftp://example.test' }, 'webhook'],
    [{ webhook: 'https://' }, 'webhook'],
    [{ operation: 'runsync', waitMs: 999 }, 'waitMs'],
    [{ operation: 'runsync', waitMs: 300_001 }, 'waitMs'],
    [{ operation: 'run', waitMs: 2_000 }, 'waitMs'],
    [{ s3Config: { endpointUrl: 's3.example.test' } }, 's3Config.endpointUrl'],
  ])('refuse %j', (change, field) => {
    expect(checkSubmission({ ...good, ...change })).toMatchObject({ ok: false, failure: { kind: 'refused', field } });
  });

  it.each<Partial<SubmissionParts>>([
    { policy: { executionTimeout: 5_000, ttl: 10_000 } },
    { policy: { executionTimeout: 604_800_000, ttl: 604_800_000, lowPriority: false } },
    { webhook: 'http://127.0.0.1:8080/hook?token=a' },
    { webhook: '' },
    { operation: 'runsync', waitMs: 1_000 },
    { operation: 'runsync', waitMs: 300_000 },
    { s3Config: { endpointUrl: '' } },
  ])('accept %j', (change) => {
    expect(checkSubmission({ ...good, ...change }).ok).toBe(true);
  });
});

describe('sizes (ruling 16)', () => {
  it.each<['run' | 'runsync', number, string | null]>([
    ['run', 9_999_999, null],
    ['run', 10_000_000, 'The body is 10,000,000 bytes; run accepts at most 10 MB.'],
    ['run', 13_400_000, 'The body is 13.4 MB; run accepts at most 10 MB. Nothing was sent. Send it with runsync'],
    ['runsync', 13_400_000, null],
    ['runsync', 19_999_999, null],
    ['runsync', 20_000_000, 'The body is 20,000,000 bytes; runsync accepts at most 20 MB.'],
    ['run', 25_000_000, 'The body is 25.0 MB; run accepts at most 10 MB. Nothing was sent. Make it smaller'],
  ])('%s of %d bytes', (operation, bytes, message) => {
    const refusal = overSize(operation, bytes);
    expect(refusal?.message.slice(0, message?.length)).toBe(message ?? undefined);
    expect(refusal?.kind).toBe(message === null ? undefined : 'too-large');
  });

  it('counts UTF-8 bytes of the whole body, not characters', () => {
    const inputText = `{"a":"${'é'.repeat(4_999_995)}"}`;
    expect(bodyBytes(buildSubmissionBody({ inputText }))).toBe(10_000_008);
    expect(checkSubmission({ ...good, inputText })).toMatchObject({ ok: false, failure: { kind: 'too-large' } });
    expect(checkSubmission({ ...good, operation: 'runsync', inputText }).ok).toBe(true);
  });
});
