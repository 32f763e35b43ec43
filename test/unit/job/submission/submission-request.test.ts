import { describe, expect, it } from 'vitest';
import { idIn, recordOfId, submissionOutcome } from '../../../../src-main/job/submission/submission-request.ts';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { ServiceFailure } from '../../../../src-preload/failure.ts';
import { aFailure, aRecord } from '../records.ts';

const of = (changes: Partial<ServiceFailure>) => submissionOutcome(failed(aFailure(changes)));

describe('the end of the one request (ruling 9)', () => {
  it('is accepted with the received record', () => {
    expect(submissionOutcome(ok(aRecord({ id: 'x' })))).toMatchObject({ kind: 'accepted', record: { id: 'x' } });
  });

  it('is retried only if nothing can have arrived, or after 429', () => {
    expect(of({ kind: 'network', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'unauthorized', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'cancelled', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'rate-limited', httpStatus: 429 })).toEqual({
      kind: 'held-back',
      reason: { kind: 'rate-limited', said: null },
    });
  });

  it('is held back with the service’s words', () => {
    expect(
      of({ kind: 'rate-limited', httpStatus: 429, message: 'Too many requests.', serviceSaid: 'Slow down.' }),
    ).toEqual({ kind: 'held-back', reason: { kind: 'rate-limited', said: 'Slow down.' } });
  });

  it.each([400, 401, 403, 404, 405, 410, 413, 415, 422])('is refused by a %i', (httpStatus) => {
    expect(of({ kind: 'invalid', httpStatus, serviceSaid: 'no' })).toMatchObject({
      kind: 'refused',
      failure: { serviceSaid: 'no' },
    });
  });

  it('is refused if it cannot be sent at all', () => {
    expect(of({ kind: 'too-large', mayHaveArrived: false }).kind).toBe('refused');
    expect(of({ kind: 'invalid', mayHaveArrived: false }).kind).toBe('refused');
  });

  it.each([500, 502, 503, 504, 408, 409, 425, 302, 303, 307, 418])(
    'is unknown after a %i: a job may exist',
    (httpStatus) => {
      expect(of({ kind: 'server', httpStatus, rawReply: 'raw' })).toEqual({
        kind: 'outcome-unknown',
        why: { kind: 'no-answer', said: 'The service answered 500.', mentionedId: null },
        rawReply: 'raw',
      });
    },
  );

  it('is unknown if no answer came', () => {
    expect(of({ kind: 'network' })).toEqual({
      kind: 'outcome-unknown',
      why: { kind: 'no-answer', said: 'The service answered 500.', mentionedId: null },
      rawReply: null,
    });
    expect(of({ kind: 'timeout' }).kind).toBe('outcome-unknown');
  });

  it.each([200, 302, 401, 403, 404, 410, 413])('is unknown after a page of a proxy with status %i', (httpStatus) => {
    expect(of({ kind: 'server', httpStatus, rawReply: '<html>' })).toEqual({
      kind: 'outcome-unknown',
      why: { kind: 'no-answer', said: 'The service answered 500.', mentionedId: null },
      rawReply: '<html>',
    });
  });

  it('treats an id in an incomplete record as evidence, never as the id of the job', () => {
    const cut = '{"id":"abc-u1","stat';
    expect(of({ kind: 'malformed', httpStatus: 200, rawReply: cut })).toEqual({
      kind: 'outcome-unknown',
      why: { kind: 'no-answer', said: 'The service answered 500.', mentionedId: 'abc-u1' },
      rawReply: cut,
    });
    expect(of({ kind: 'network', httpStatus: 200, rawReply: '{"id":"cut-off"' })).toMatchObject({
      kind: 'outcome-unknown',
      why: { mentionedId: 'cut-off' },
    });
    expect(of({ kind: 'malformed', httpStatus: 200, rawReply: '{"job":{"id":"nested"}}' })).toMatchObject({
      kind: 'outcome-unknown',
      why: { mentionedId: 'nested' },
    });
  });
});

describe('an id in a reply that is not a record', () => {
  it('is found anywhere', () => {
    expect(idIn('{"data":{"jobId":"a"}}')).toBe('a');
    expect(idIn('[{"id":"b"}]')).toBe('b');
    expect(idIn('{"before":null,"job":{"job_id":"c"}}')).toBe('c');
  });

  it('is the one nearest to the top', () => {
    expect(idIn('{"input":{"id":"theirs"},"job_id":"third","jobId":"second","id":"ours"}')).toBe('ours');
    expect(idIn('{"input":{"id":"theirs"},"job_id":"third","jobId":"second"}')).toBe('second');
    expect(idIn('{"input":{"id":"theirs"},"job_id":"third","id":""}')).toBe('third');
    expect(idIn('{"a":{"b":{"c":{"id":"within reach"}}},"job":{"id":"near"}}')).toBe('within reach');
    expect(idIn('{"a":{"b":{"c":{"d":{"id":"too deep"}}}},"job":{"id":"near"}}')).toBe('near');
  });

  it('is found in JSON that broke off', () => {
    expect(idIn('garbage "job_id"  :  "c\\u0041" garbage')).toBe('cA');
    expect(idIn('{"jobId":"a \\" b", oops')).toBe('a " b');
    expect(idIn('{"id": "id":"d","status":"IN_QUEUE"}, oops')).toBe('d');
    expect(idIn('{"id": "id"  : "e", oops')).toBe('e');
    expect(idIn(`{"id":"${'x'.repeat(200)}", oops`)).toBe('x'.repeat(200));
  });

  it.each([
    '',
    'null',
    '"id"',
    '{"id": 5}',
    '{"id":""}',
    '{"id":null}',
    '{"id": "broken',
    '{"id":"", oops',
    '{"id":"\\x", oops',
    '{"id":"two\nlines", oops',
    '{"valid":"x", oops',
    `{"id":"${'x'.repeat(201)}", oops`,
  ])('is not found in %j', (raw) => {
    expect(idIn(raw)).toBeNull();
  });

  it('becomes a record that says only that the job exists', () => {
    expect(recordOfId('x')).toEqual(aRecord({ id: 'x', status: '' }));
  });
});
