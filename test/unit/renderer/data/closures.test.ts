import { describe, expect, test } from 'vitest';
import type { Closure } from '../../../../src-preload/app.ts';
import { closedMeaning, closedOperations } from '../../../../src-preload/messages/closure.ts';
import { closureText, lossAtMs, nextTryOf } from '../../../../src-renderer/data/closures.ts';
import { lossText, triedText } from '../../../../src-renderer/messages/data/closures.ts';
import { aJob } from '../../../kit/a-job.ts';

const at = (hours: number, minutes: number, seconds = 0): number =>
  new Date(2025, 10, 20, hours, minutes, seconds).getTime();
const nowMs = at(14, 28, 7);
const cancel: Closure = {
  connectionId: 'c',
  endpointId: 'llm',
  operation: 'cancel',
  httpStatus: 403,
  path: '/v2/llm/cancel/1',
  serviceSaid: null,
  sinceMs: at(14, 26),
  nextTryMs: nowMs + 130_000,
};
const names: Record<string, string> = { llm: 'Chat', img: 'Images' };
const nameOf = (id: string): string => names[id] ?? id;

describe('refusals in words (ruling 35)', () => {
  test('one operation: which, since when, what it means, that nothing else is refused, and when next', () => {
    expect(closureText([cancel], nameOf, { nowMs, lossMs: null, later: null })).toEqual({
      title: 'One operation is refused: cancel on Chat (403)',
      text: 'Since 14:26. Jobs there cannot be cancelled. Nothing else is refused. Next try in 2:10.',
    });
  });

  test('several of one endpoint name what is not refused there', () => {
    const closures = [
      cancel,
      { ...cancel, operation: 'status', httpStatus: 401, sinceMs: at(14, 20), nextTryMs: nowMs + 14_000 },
    ];
    const words = closureText(closures, nameOf, { nowMs, lossMs: at(14, 50), later: null });
    expect(words.title).toBe('2 operations are refused: cancel and status on Chat (401, 403)');
    expect(words.text).toBe(
      'Since 14:20. Jobdeck cannot check jobs there meanwhile; their results wait on the service. Jobs there ' +
        'cannot be cancelled. Reading streams, submitting and retrying are not refused there. A result may expire on the service from 14:50. Next try in 14 s.',
    );
  });

  test('those of many endpoints are counted beyond the third', () => {
    const closures = ['llm', 'img', 'a', 'b', 'c'].map((endpointId) => ({
      endpointId,
      operation: 'status',
      httpStatus: 403,
    }));
    expect(closedOperations(closures, nameOf)).toBe('status on Chat, Images, a and 2 more endpoints');
    // Of endpoints that are not named it is not said that they refuse the same, if they do not.
    expect(closedOperations([{ endpointId: 'llm', operation: 'run' }, ...closures.slice(1)], nameOf)).toBe(
      'run on Chat, status on Images and a, and on 2 more endpoints',
    );
    expect(closedOperations([...closures.slice(0, 4), { endpointId: 'c', operation: 'run' }], nameOf)).toBe(
      'status on Chat, Images and a, and on 2 more endpoints',
    );
    expect(closedMeaning(closures)).toContain('Nothing else is refused.');
    expect(closedMeaning(closures)).not.toContain('The key may be wrong.');
    const byKey = closures.map((closure) => ({ ...closure, httpStatus: 401 }));
    expect(closedMeaning(byKey)).toContain('The key may be wrong.');
  });

  test('an endpoint that accepts nothing does not claim that something works there', () => {
    const all = ['status', 'stream', 'run', 'runsync', 'cancel', 'retry'].map((operation) => ({
      endpointId: 'llm',
      operation,
      httpStatus: 403,
    }));
    expect(closedMeaning(all)).toMatch(/Nothing is refused on other endpoints\.$/);
  });

  test('no text says that anything stopped for good', () => {
    for (const operation of ['status', 'stream', 'run', 'cancel', 'health', 'purge-queue', 'something-new']) {
      expect(
        Object.values(closureText([{ ...cancel, operation }], nameOf, { nowMs, lossMs: null, later: null })).join(' '),
      ).not.toMatch(/stopped|for good/i);
    }
  });

  test('a try in progress, and one that waits for something else', () => {
    expect(triedText(null, nowMs, null)).toBe('Trying now.');
    expect(triedText(nowMs, nowMs, null)).toBe('Trying now.');
    expect(triedText(nowMs + 1, nowMs, 'when polling resumes')).toBe('Next try when polling resumes.');
    expect(nextTryOf([cancel, { nextTryMs: null }])).toBeNull();
    expect(nextTryOf([cancel, { nextTryMs: 5 }])).toBe(5);
  });
});

describe('until when it matters', () => {
  const status = new Set(['status']);

  test('a job may have ended right after it was last read; its ttl may come first', () => {
    expect(lossAtMs(aJob({ statusReadAtMs: 10_000 }), status)).toBe(1_810_000);
    expect(lossAtMs(aJob({ statusReadAtMs: 10_000, operation: 'runsync' }), status)).toBe(70_000);
    expect(lossAtMs(aJob({ statusReadAtMs: 10_000, ttlEndsAtMs: 50_000 }), status)).toBe(50_000);
  });

  test('nothing is at stake if jobs are read, or are over', () => {
    expect(lossAtMs(aJob({ statusReadAtMs: 10_000 }), new Set(['cancel']))).toBeNull();
    expect(lossAtMs(aJob({ phase: 'finished', status: 'COMPLETED' }), status)).toBeNull();
  });

  test('a pending stream is at stake if streams are refused', () => {
    const job = aJob({
      status: 'COMPLETED',
      pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 99_000, reason: '' },
    });
    expect(lossAtMs(job, new Set(['stream']))).toBe(99_000);
    expect(lossAtMs(job, status)).toBeNull();
  });

  test('is shown only if it is near', () => {
    expect(lossText(nowMs + 2 * 3_600_000, nowMs)).toBe('');
    expect(lossText(null, nowMs)).toBe('');
    expect(lossText(at(14, 20), nowMs)).toBe('Results may have expired on the service since 14:20.');
  });
});
