import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLine, cutRaw, rawReplyLimitBytes, readJobError } from '../../../src-main/service/error-body.ts';

describe('the best line of an error body (ruling 6)', () => {
  it.each([
    ['{"error":"pod not found","status":404}', null, 'pod not found'],
    ['{"message":"Pod not found"}', null, 'Pod not found'],
    ['{"detail":"pod not found","status":404,"title":"Not Found"}', 'application/problem+json', 'pod not found'],
    ['{"title":"Not Found","status":404}', 'application/problem+json', 'Not Found'],
    ['{"errors":[{"message":"input is required"},{"message":"second"}]}', null, 'input is required'],
    ['{"errors":["first","second"]}', null, 'first'],
    [
      '{"detail":[{"loc":["body","input"],"msg":"field required","type":"value_error.missing"}]}',
      null,
      'field required',
    ],
    ['{"error":{"code":400,"message":"bad policy"}}', null, 'bad policy'],
    [
      '{"error":"{\\"error_type\\":\\"<class \'ValueError\'>\\",\\"error_message\\":\\"no prompt\\"}"}',
      null,
      'no prompt',
    ],
    ['{"error":"Bad Request","message":"ttl is below 10000"}', null, 'ttl is below 10000'],
    ['{"error":true,"message":"it broke"}', null, 'it broke'],
    ['"just a text"', null, 'just a text'],
    ['  \n upstream connect error\nsecond line', 'text/plain', 'upstream connect error'],
    [
      '<!doctype html><html><head><title>502 Bad\n Gateway</title></head><body><h1>nginx</h1></body></html>',
      'text/html',
      '502 Bad Gateway',
    ],
    [
      '<html><script>var a = "<h1>x</h1>"</script><body><h1>Sign in &amp; go &#8594; on</h1></body></html>',
      null,
      'Sign in & go → on',
    ],
    ['<p>Only <b>text</b></p>', 'text/html', 'Only text'],
    ['{"foo":"bar"}', null, null],
    ['404', null, null],
    ['null', null, null],
    ['', null, null],
    ['{"error":""}', null, null],
  ])('%j as %s says %j', (body, contentType, expected) => {
    expect(bestLine(body, contentType)).toBe(expected);
  });

  it('is one line of at most 500 characters, whatever comes, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string({ maxLength: 2_000 }),
          fc.string().map((text) => `<html>${text}`),
        ),
        (body) => {
          const line = bestLine(body);
          if (line === null) return;
          expect(line).toBe(line.replaceAll(/\s+/g, ' ').trim());
          expect(line.length).toBeLessThanOrEqual(500);
        },
      ),
    );
    expect(bestLine('x'.repeat(2_000))).toHaveLength(500);
  });

  it('follows JSON within JSON only to a limit', () => {
    let nested = 'deep';
    for (let depth = 0; depth < 3; depth += 1) nested = JSON.stringify({ error: nested });
    expect(bestLine(nested)).toBe('deep');
    for (let depth = 0; depth < 8; depth += 1) nested = JSON.stringify({ error: nested });
    expect(bestLine(nested)).toMatch(/^\{"error":/);
  });
});

describe('the raw body is cut at 64 KiB', () => {
  it('leaves shorter ones unchanged and never cuts inside a character', () => {
    expect(cutRaw('short')).toBe('short');
    expect(Buffer.byteLength(cutRaw('x'.repeat(70_000)))).toBe(rawReplyLimitBytes);
    const cut = cutRaw(`a${'😀'.repeat(20_000)}`);
    expect(cut.endsWith('😀')).toBe(true);
    expect(cut).not.toContain('\ufffd');
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(rawReplyLimitBytes);
    expect(Buffer.byteLength(cut)).toBeGreaterThan(rawReplyLimitBytes - 4);
  });
});

describe('the error of a failed job', () => {
  const traceback =
    'Traceback (most recent call last):\n  File "handler.py", line 12, in handler\n    run()\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n';

  it('parses the nested JSON string (field notes: Status and result)', () => {
    const raw = JSON.stringify({
      error_type: "<class 'torch.cuda.OutOfMemoryError'>",
      error_message: 'CUDA out of memory',
      error_traceback: traceback,
      hostname: 'h',
      worker_id: 'w',
      runpod_version: '1.7',
    });
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    const twice = JSON.stringify(raw);
    expect(readJobError(twice)).toEqual({
      summary: 'CUDA out of memory',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw: twice,
    });
  });

  it.each([
    ['job timed out after 1 retries', 'job timed out after 1 retries', null],
    [
      'Total pixels (262144) must be between 589824 and 2073600.',
      'Total pixels (262144) must be between 589824 and 2073600.',
      null,
    ],
    ['{"message":"bad input","code":3}', 'bad input', null],
    [
      '{"name":"TypeError","message":"x is undefined","stack":"TypeError: x is undefined\\n    at run"}',
      'x is undefined',
      'TypeError',
    ],
    ['{"error_type":"ValueError"}', 'The worker gave no reason.', 'ValueError'],
    ['["first","second"]', 'first', null],
    ['{not json', '{not json', null],
    ['', 'The worker gave no reason.', null],
  ])('%j', (raw, summary, type) => {
    expect(readJobError(raw)).toMatchObject({ summary, type, raw });
  });

  it('uses the last line of a plain traceback', () => {
    const raw = `worker log\n${traceback}`;
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory. Tried to allocate 2.00 GiB',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    expect(
      readJobError(JSON.stringify({ error_traceback: 'Traceback (most recent call last):\nKeyError' })),
    ).toMatchObject({ summary: 'KeyError', type: 'KeyError' });
  });

  it('reads both ends of a text of many megabytes, at any depth, and keeps all of it', () => {
    const raw = `${'log line\n'.repeat(500_000)}${traceback}`;
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory. Tried to allocate 2.00 GiB',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    for (const deep of [
      `${'['.repeat(100_000)}"no"${']'.repeat(100_000)}`,
      `${'{"error":'.repeat(100_000)}"no"${'}'.repeat(100_000)}`,
    ])
      expect(readJobError(deep)).toMatchObject({ summary: expect.any(String), raw: deep });
  });

  it('always has a summary of one line and keeps the raw text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (raw) => {
        const error = readJobError(raw);
        expect(error.raw).toBe(raw);
        expect(error.summary).toMatch(/^\S(.*\S)?$/);
      }),
    );
  });
});
