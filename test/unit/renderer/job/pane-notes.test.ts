import { describe, expect, it } from 'vitest';
import { otherAddressNote, waitingRetryText } from '../../../../src-renderer/job/pane-notes.tsx';

const job = { phase: 'active', baseUrl: 'https://old.example:8443/v2' } as const;

function at(baseUrl: string, isSandbox = false) {
  return { baseUrl, isSandbox };
}

describe('an active job whose connection points elsewhere now', () => {
  it('names both hosts, and why it is not tracked', () => {
    expect(otherAddressNote(job, at('https://new.example/v2'))).toBe(
      'Sent to old.example:8443. The connection now points to new.example, so its key is not sent to the old ' +
        'address and this job is not tracked. Point the connection back to track it.',
    );
  });

  it('names the schemes if only they differ', () => {
    expect(otherAddressNote({ ...job, baseUrl: 'http://one.example' }, at('https://one.example'))).toMatch(
      /^Sent to http:\/\/one\.example\. The connection now points to https:\/\/one\.example,/,
    );
  });

  it('shows no note for another path or another spelling of the same address', () => {
    expect(otherAddressNote(job, at('https://OLD.example:8443/other/'))).toBeNull();
    expect(otherAddressNote({ ...job, baseUrl: 'https://one.example:443' }, at('https://one.example'))).toBeNull();
  });

  it.each(['waiting', 'submitting', 'finished', 'gone', 'refused', 'outcome-unknown'] as const)(
    'shows no note if it is %s',
    (phase) => {
      expect(otherAddressNote({ ...job, phase }, at('https://new.example'))).toBeNull();
    },
  );

  it('shows no note for the sandbox, whose port changes at every start', () => {
    expect(otherAddressNote(job, at('http://127.0.0.1:4000', true))).toBeNull();
  });

  it('shows no note if the connection is gone or an address cannot be read', () => {
    expect(otherAddressNote(job, undefined)).toBeNull();
    expect(otherAddressNote({ ...job, baseUrl: 'not an address' }, at('https://new.example'))).toBeNull();
  });
});

it('a waiting retry says what it waits for and until when', () => {
  const asked = { retryRequestedAtMs: 1, retentionEndsAtMs: null };
  const offline = { kind: 'offline' as const, sinceMs: 0, nextTryMs: null, message: '' };
  expect(waitingRetryText({ retentionEndsAtMs: 5 }, offline, false)).toBeNull();
  expect(waitingRetryText(asked, offline, false)).toBe('Will be sent once, when the service is reachable.');
  expect(waitingRetryText(asked, offline, true)).toBe('Will be sent once, when polling resumes.');
  expect(waitingRetryText(asked, { kind: 'ready' }, false)).toMatch(/retry limit/);
  expect(
    waitingRetryText({ ...asked, retentionEndsAtMs: new Date(2025, 0, 1, 14, 32).getTime() }, offline, false),
  ).toMatch(/reachable, unless the result expires first, at 14:32\.$/);
});
