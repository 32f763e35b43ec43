import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import { faultReply, skewTimes, spoil } from '../../../../src-main/sandbox/faults/fault-reply.ts';

describe('the answer of a fault', () => {
  it('is 429 with Retry-After in whole seconds', () => {
    expect(faultReply({ kind: 'status', status: 429, retryAfterS: 2.2 })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3' },
    });
  });

  it('is 500 with a sentence by default, and nothing for a kind that lets the request through', () => {
    expect(faultReply({ kind: 'status' })).toEqual({
      status: 500,
      body: '{"error":"A fault of the sandbox answers 500."}',
    });
    expect(faultReply({ kind: 'status', status: 503, retryAfterS: 1.5 })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
    });
    expect(faultReply({ kind: 'delay', delayMs: 1 })).toBeNull();
  });

  it('redirects with a Location on its own host, so that no client reaches another', () => {
    for (const status of [302, 303])
      expect(faultReply({ kind: 'status', status })).toMatchObject({ status, headers: { location: '/elsewhere' } });
  });

  it('is an HTML page of any status', () => {
    expect(faultReply({ kind: 'html', status: 404 })).toMatchObject({
      status: 404,
      body: expect.stringMatching(/^<!doctype html>.*<h1>404/s),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
  });

  it('no longer parses if it was broken', () => {
    for (const kind of ['invalid-json', 'truncated-json'] as const) {
      const { body } = spoil({ status: 200, body: '{"id":"a","status":"IN_QUEUE"}' }, { kind });
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
    }
  });
});

describe('a padded answer', () => {
  const record = '{"id":"a","status":"COMPLETED","output":[1]}';
  const list = '[{"output":1},{"output":{"b":2}}]';
  const padded = (body: string, rule: FaultRule) => spoil({ status: 200, body }, rule);

  it('has lists 100,000 deep after its content, in a record and in a list', () => {
    for (const [body, start] of [
      [record, record.slice(0, -1)],
      [list, list.slice(0, -2)],
    ] as const) {
      const deep = padded(body, { kind: 'deep' }).body;
      expect(deep.startsWith(`${start},"padding":[[[`)).toBe(true);
      expect(deep.match(/\[/g)?.length).toBeGreaterThanOrEqual(100_000);
      expect(deep.endsWith(body.slice(start.length))).toBe(true);
    }
    // An empty list has nothing to hold a field.
    expect(padded('[]', { kind: 'deep' }).body).toBe('[]');
  });

  it.each([
    ['large', {}, 19_000_000],
    ['large', { sizeBytes: 50_000 }, 50_000],
    ['huge', {}, 70_000_000],
  ] as const)('has the right length, and the same content: %s %j', (kind, size, bytes) => {
    for (const body of [record, list, '[]']) {
      const long = padded(body, { kind, ...size });
      expect(long.encoding).toBeUndefined();
      expect(long.body.length).toBeGreaterThanOrEqual(bytes);
      expect(long.body.length).toBeLessThan(bytes + 500);
    }
    const { padding, ...told } = JSON.parse(padded(record, { kind, sizeBytes: 1_000 }).body);
    expect(told).toEqual(JSON.parse(record));
    expect(padding).toBeInstanceOf(Array);
    expect(JSON.parse(padded(list, { kind, sizeBytes: 1_000 }).body)).toMatchObject(JSON.parse(list));
    expect(JSON.parse(padded('[]', { kind, sizeBytes: 1_000 }).body)).toEqual([]);
  });

  it('is compressed to a thousandth of its length', () => {
    const small = padded(record, { kind: 'compressed', sizeBytes: 2_000_000 });
    expect(small.encoding).toBe('gzip');
    expect(JSON.parse(small.body)).toMatchObject(JSON.parse(record));
    expect(small.body.length / gzipSync(small.body).length).toBeGreaterThan(900);
  });
});

describe('a wrong clock', () => {
  const body = JSON.stringify({
    name: '2026-01-01T00:00:00.000Z',
    lastStartedAt: '2026-12-31T23:59:30.000Z',
    lastStatusChange: 'Rented by User: Thu Dec 31 2026 18:59:30 GMT-0500 (Eastern Standard Time)',
    savingsPlans: [{ startTime: '2026-10-04 11:09:24.633 +0000 UTC', endTime: 'unknown' }],
  });

  it('moves the times of a management reply, each in its own form, and nothing else', () => {
    const skewed = skewTimes({ status: 200, body }, { kind: 'clock-skew', skewMs: 60_000 }, true);
    expect(JSON.parse(skewed.body)).toEqual({
      name: '2026-01-01T00:00:00.000Z',
      lastStartedAt: '2027-01-01T00:00:30.000Z',
      lastStatusChange: 'Rented by User: Thu Dec 31 2026 19:00:30 GMT-0500 (Eastern Standard Time)',
      savingsPlans: [{ startTime: '2026-10-04 11:10:24.633 +0000 UTC', endTime: 'unknown' }],
    });
  });

  it('moves the Date header by ten minutes by default, and keeps the body of a queue reply', () => {
    const beforeMs = Date.now();
    const skewed = skewTimes({ status: 429, body, headers: { 'retry-after': '1' } }, { kind: 'clock-skew' }, false);
    expect(skewed.body).toBe(body);
    expect(skewed.headers?.['retry-after']).toBe('1');
    const offMs = Date.parse(skewed.headers?.['date'] ?? '') - beforeMs;
    expect(offMs).toBeGreaterThan(600_000 - 1_500);
    expect(offMs).toBeLessThan(600_000 + 10_000);
  });
});
