import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLine, cutRaw, rawReplyLimitBytes } from '../../../src-main/service/error-body.ts';

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
