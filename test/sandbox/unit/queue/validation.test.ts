import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkStreamWait,
  checkSubmission,
  checkTtl,
  checkWait,
} from '../../../../src-main/sandbox/queue/validation.ts';

function messageOf(body: unknown): string {
  const checked = checkSubmission(typeof body === 'string' ? body : JSON.stringify(body));
  return checked.ok ? 'accepted' : checked.message;
}

describe('checkSubmission', () => {
  it('returns the defaults of the policy table', () => {
    expect(checkSubmission('{"input":{}}')).toEqual({
      ok: true,
      value: {
        text: '{"input":{}}',
        webhook: null,
        executionTimeoutMs: 600_000,
        ttlMs: 86_400_000,
        isLowPriority: false,
      },
    });
  });

  it('reads policy, webhook and s3Config, and keeps unknown fields in the text', () => {
    const text = JSON.stringify({
      input: { a: 1 },
      webhook: 'https://example.test/hook',
      policy: { executionTimeout: 5_000, ttl: 604_800_000, lowPriority: true, other: 1 },
      s3Config: {
        accessId: 'a',
        accessSecret: 'b',
        bucketName: 'c',
        endpointUrl: 'https://s3.example.test',
        objectPath: 'd',
      },
      webhookV2: 'anything',
    });
    const checked = checkSubmission(text);
    expect(checked).toEqual({
      ok: true,
      value: {
        text,
        webhook: 'https://example.test/hook',
        executionTimeoutMs: 5_000,
        ttlMs: 604_800_000,
        isLowPriority: true,
      },
    });
  });

  it.each([
    ['text that is not JSON', '{"input":', /not valid JSON/],
    ['an empty body', '', /The body is empty/],
    ['an array', [], /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['no input', { inputs: {} }, /must carry the key input/],
    ['an array as input', { input: [] }, /input must be an object/],
    ['null as input', { input: null }, /input must be an object/],
    ['a text as input', { input: 'x' }, /input must be an object/],
    ['an invalid webhook URL', { input: {}, webhook: 'somewhere' }, /webhook must be/],
    ['a webhook that is not http', { input: {}, webhook: 'ftp://example.test' }, /webhook must be/],
    ['a webhook that is a number', { input: {}, webhook: 5 }, /webhook must be/],
    ['a policy that is null', { input: {}, policy: null }, /policy must be an object/],
    ['a webhook that is null', { input: {}, webhook: null }, /webhook must be/],
    ['a policy that is a list', { input: {}, policy: [] }, /policy must be an object/],
    [
      'executionTimeout below 5 s',
      { input: {}, policy: { executionTimeout: 4_999 } },
      /executionTimeout must be between 5000 and 604800000/,
    ],
    [
      'executionTimeout above 7 days',
      { input: {}, policy: { executionTimeout: 604_800_001 } },
      /executionTimeout must be between/,
    ],
    [
      'executionTimeout as a text',
      { input: {}, policy: { executionTimeout: '5000' } },
      /executionTimeout must be an integer/,
    ],
    ['ttl below 10 s', { input: {}, policy: { ttl: 9_999 } }, /ttl must be between 10000 and 604800000/],
    ['ttl above 7 days', { input: {}, policy: { ttl: 604_800_001 } }, /ttl must be between/],
    ['a ttl with a fraction', { input: {}, policy: { ttl: 10_000.5 } }, /ttl must be an integer/],
    ['lowPriority as a text', { input: {}, policy: { lowPriority: 'yes' } }, /lowPriority must be true or false/],
    ['an s3Config that is a text', { input: {}, s3Config: 'x' }, /s3Config must be an object/],
    [
      'an s3Config key that is a number',
      { input: {}, s3Config: { accessId: 1 } },
      /s3Config\.accessId must be a string/,
    ],
    [
      'an invalid endpointUrl',
      { input: {}, s3Config: { endpointUrl: 'here' } },
      /endpointUrl must be an http or https URL/,
    ],
  ])('refuses %s with one sentence', (_name, body, expected) => {
    const message = messageOf(body);
    expect(message).toMatch(expected);
    expect(message).toMatch(/^[^.].*\.$/);
  });

  it('names the position of a JSON error without repeating the text', () => {
    const message = messageOf('{"input": {"password": "hunter2" oops}}');
    expect(message).toMatch(/position \d+/);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['{"input": {"a": NaN}}', 'The body is not valid JSON: it has an unexpected N.'],
    ['{"input": {"a": \u0007}}', 'The body is not valid JSON: it has an unexpected character.'],
    ['{"input": {', 'The body is not valid JSON: see position 11 (line 1 column 12).'],
    ['[', 'The body is not valid JSON: it ends too early.'],
  ])('says why %j is not JSON', (text, sentence) => {
    expect(messageOf(text)).toBe(sentence);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(messageOf(text)).not.toBe('');
      }),
    );
  });

  it('accepts exactly the bounds of ttl', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 700_000_000 }), (ttl) => {
        const isAccepted = messageOf({ input: {}, policy: { ttl } }) === 'accepted';
        expect(isAccepted).toBe(ttl >= 10_000 && ttl <= 604_800_000);
      }),
    );
  });
});

describe('checkWait', () => {
  it.each([
    [[], 90_000],
    [['1000'], 1_000],
    [['300000'], 300_000],
  ])('reads %j as %d ms', (given, expected) => {
    expect(checkWait(given)).toEqual({ ok: true, value: expected });
  });

  it.each(['999', '300001', '', ' ', 'soon', '1e4', '-5000', '1000.5', '0x1000', '9999999999999999999'])(
    'refuses "%s"',
    (raw) => {
      expect(checkWait([raw]).ok).toBe(false);
    },
  );

  it('refuses two of them, even equal ones', () => {
    expect(checkWait(['5000', '5000'])).toEqual({ ok: false, message: 'wait must be given once only.' });
  });
});

describe('checkTtl', () => {
  it('accepts an absent value, and the bounds of policy.ttl', () => {
    expect(checkTtl([])).toEqual({ ok: true, value: null });
    expect(checkTtl(['10000'])).toEqual({ ok: true, value: 10_000 });
    for (const given of [['9999'], ['604800001'], [''], ['20000', '30000']]) expect(checkTtl(given).ok).toBe(false);
  });
});

describe('checkStreamWait', () => {
  it('is 10 s if omitted, and may be 0', () => {
    expect(checkStreamWait([])).toEqual({ ok: true, value: 10_000 });
    expect(checkStreamWait(['0'])).toEqual({ ok: true, value: 0 });
    for (const given of [['300001'], ['x'], ['1', '1']]) expect(checkStreamWait(given).ok).toBe(false);
  });
});
