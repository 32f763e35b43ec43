import { describe, expect, it } from 'vitest';
import { idIn, submissionOutcome } from '../../../../src-main/job/submission/submission-outcome.ts';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { ServiceFailure } from '../../../../src-preload/failure.ts';
import { aFailure, aRecord } from '../records.ts';

const of = (changes: Partial<ServiceFailure>) => submissionOutcome(failed(aFailure(changes)));

describe('the end of the one request (ruling 9)', () => {
  it('is accepted with the record that came', () => {
    expect(submissionOutcome(ok(aRecord({ id: 'x' })))).toMatchObject({ kind: 'accepted', record: { id: 'x' } });
  });

  it('is tried again only when nothing can have arrived, or after 429', () => {
    expect(of({ kind: 'network', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'unauthorized', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'cancelled', mayHaveArrived: false }).kind).toBe('held-back');
    expect(of({ kind: 'rate-limited', httpStatus: 429 }).kind).toBe('held-back');
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 422, 302])('is refused by a %i', (httpStatus) => {
    expect(of({ kind: 'invalid', httpStatus, serviceSaid: 'no' })).toMatchObject({ kind: 'refused', failure: { serviceSaid: 'no' } });
  });

  it('is refused when it cannot be sent at all', () => {
    expect(of({ kind: 'too-large', mayHaveArrived: false }).kind).toBe('refused');
    expect(of({ kind: 'invalid', mayHaveArrived: false }).kind).toBe('refused');
  });

  it.each([500, 502, 503, 504, 408])('is unknown after a %i: a job may exist', (httpStatus) => {
    expect(of({ kind: 'server', httpStatus, rawReply: 'raw' })).toEqual({ kind: 'outcome-unknown', reason: 'The service answered 500.', rawReply: 'raw' });
  });

  it('is unknown when no answer came', () => {
    expect(of({ kind: 'network' }).kind).toBe('outcome-unknown');
    expect(of({ kind: 'timeout' }).kind).toBe('outcome-unknown');
  });

  it('is accepted when a reply that cannot be read still tells the id', () => {
    expect(of({ kind: 'malformed', httpStatus: 200, rawReply: '{"id":"abc-u1","stat' })).toMatchObject({ kind: 'accepted', record: { id: 'abc-u1', status: '' } });
    expect(of({ kind: 'malformed', httpStatus: 200, rawReply: '<html>' })).toEqual({ kind: 'outcome-unknown', reason: 'The service answered 500.', rawReply: '<html>' });
    expect(of({ kind: 'network', httpStatus: 200, rawReply: '{"id":"cut-off"' })).toMatchObject({ kind: 'accepted', record: { id: 'cut-off' } });
  });
});

it('finds an id wherever it stands', () => {
  expect(idIn('{"data":{"jobId":"a"}}')).toBe('a');
  expect(idIn('[{"id":"b"}]')).toBe('b');
  expect(idIn('garbage "job_id" : "c\\u0041" garbage')).toBe('cA');
  expect(idIn('{"id": "id":"d","status":"IN_QUEUE"}, oops')).toBe('d');
  expect(idIn('{"id": 5}')).toBeNull();
  expect(idIn('{"id": "broken')).toBeNull();
  expect(idIn('')).toBeNull();
});
