import { describe, expect, it } from 'vitest';
import { otherAddressNote } from '../../../src-renderer/job/other-address.ts';

const job = { phase: 'active', baseUrl: 'https://old.example:8443/v2' } as const;

describe('a live job whose connection points elsewhere now', () => {
  it('names both hosts, and why it is not followed', () => {
    expect(otherAddressNote(job, { baseUrl: 'https://new.example/v2' })).toBe(
      'Sent to old.example:8443. The connection now points to new.example, so its key is not sent there and this job is not followed. Point the connection back to follow it.',
    );
  });

  it('names the schemes where only they differ', () => {
    expect(otherAddressNote({ ...job, baseUrl: 'http://one.example' }, { baseUrl: 'https://one.example' })).toMatch(/^Sent to http:\/\/one\.example\. The connection now points to https:\/\/one\.example,/);
  });

  it('says nothing of another path or another spelling of the same address', () => {
    expect(otherAddressNote(job, { baseUrl: 'https://OLD.example:8443/other/' })).toBeNull();
    expect(otherAddressNote({ ...job, baseUrl: 'https://one.example:443' }, { baseUrl: 'https://one.example' })).toBeNull();
  });

  it.each(['waiting', 'submitting', 'finished', 'gone', 'refused', 'outcome-unknown'] as const)('says nothing of a job that is %s', (phase) => {
    expect(otherAddressNote({ ...job, phase }, { baseUrl: 'https://new.example' })).toBeNull();
  });

  it('says nothing where the connection is gone or an address cannot be read', () => {
    expect(otherAddressNote(job, undefined)).toBeNull();
    expect(otherAddressNote({ ...job, baseUrl: 'not an address' }, { baseUrl: 'https://new.example' })).toBeNull();
  });
});
