import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../../src-preload/failure.ts';
import { failureTitle } from '../../../../src-renderer/messages/pods/reading.tsx';
import { podStatusWord, readAgo } from '../../../../src-renderer/messages/pods/status.ts';
import { statusTone } from '../../../../src-renderer/pods/identity-panel.tsx';

describe('texts of a pod', () => {
  it('say when it was read, and the age if that is long ago', () => {
    const readAtMs = new Date(2026, 10, 20, 14, 31, 58).getTime();
    expect(readAgo(readAtMs, readAtMs + 3_599_000)).toBe('Read 14:31:58');
    expect(readAgo(readAtMs, readAtMs + 3 * 3_600_000)).toBe('as of 3 h ago');
    expect(readAgo(readAtMs, readAtMs + 5 * 86_400_000)).toBe('as of 5 d ago');
  });

  it('keep an unlisted status', () => {
    expect([podStatusWord('RUNNING', false), statusTone('RUNNING', false)]).toEqual(['Running', 'done']);
    expect([podStatusWord('RUNNING', true), statusTone('RUNNING', true)]).toEqual(['Starting', 'run']);
    expect([podStatusWord('RESUMING', false), statusTone('RESUMING', false)]).toEqual(['RESUMING', 'cancel']);
    expect([null, undefined, '', 'EXITED', 'TERMINATED'].map((status) => podStatusWord(status, false))).toEqual([
      'Status not reported',
      'Status not reported',
      'Status not reported',
      'Exited',
      'Terminated',
    ]);
  });

  it('name every failure', () => {
    const failures: Failure[] = [
      ...(
        [
          'invalid',
          'unauthorized',
          'not-found',
          'too-large',
          'rate-limited',
          'server',
          'network',
          'timeout',
          'malformed',
          'cancelled',
        ] as const
      ).map((kind) => ({ kind, message: 'm', mayHaveArrived: true })),
      { kind: 'refused', message: 'm' },
      { kind: 'absent', message: 'm' },
      { kind: 'no-key', message: 'm', connectionId: 'c' },
      { kind: 'storage', message: 'm' },
      { kind: 'defect', message: 'm' },
    ];
    for (const failure of failures) expect(failureTitle(failure)).toMatch(/^[A-Z].{8,}[^.]$/);
    expect(failureTitle({ kind: 'not-found', message: 'm', httpStatus: 404, mayHaveArrived: true })).toBe(
      'No such pod (404)',
    );
  });
});
