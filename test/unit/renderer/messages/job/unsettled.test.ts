import { describe, expect, it } from 'vitest';
import type { NotKnown, PendingStream } from '../../../../../src-preload/job.ts';
import { notKnownNote, pendingStreamNote } from '../../../../../src-renderer/messages/jobs/row.tsx';
import { notKnownText, pendingStreamText } from '../../../../../src-renderer/messages/job/unsettled.ts';

const at = (hours: number, minutes: number, seconds = 0): number =>
  new Date(2025, 10, 20, hours, minutes, seconds).getTime();
const nowMs = at(14, 27, 30);

describe('a job that the service currently does not know (ruling 34)', () => {
  const once: NotKnown = { sinceMs: at(14, 27, 3), times: 1, lastAtMs: at(14, 27, 3), nextTryMs: at(14, 27, 44) };
  const twice: NotKnown = { ...once, times: 2, lastAtMs: at(14, 27, 25) };

  it('says since when, when next, and from when it would count', () => {
    expect(notKnownText(once, nowMs, null)).toEqual({
      title: 'The service does not know this job right now',
      text:
        'It answered 404 at 14:27:03. Next check in 14 s. If the service still does not know it after ' +
        '14:28:03, Jobdeck marks it as gone. Until then, Jobdeck keeps tracking it.',
    });
  });

  it('says how many times', () => {
    const { text } = notKnownText(twice, nowMs, null);
    expect(text).toContain('It has answered 404 twice since 14:27:03, most recently at 14:27:25.');
    expect(text).toContain('If the service still does not know it after 14:28:03, Jobdeck marks it as gone.');
  });

  it('says that it is being read now, and what else the next check waits for', () => {
    expect(notKnownText(once, once.nextTryMs, null).text).toContain('Next check now.');
    expect(notKnownText(once, nowMs, 'when the service is reachable').text).toContain(
      'Next check when the service is reachable.',
    );
  });

  it('says that an answer that does not count does not', () => {
    const { text } = notKnownText({ ...once, times: 0 }, nowMs, null);
    expect(text).toContain('which does not count');
    expect(text).toContain('It counts as gone after three such answers from the service over at least a minute.');
    expect(text).not.toContain('14:28:03');
  });

  it('never counts answers alone, without the endpoint', () => {
    expect(notKnownText({ ...twice, times: 3 }, nowMs, null).text).toContain('only while the endpoint itself answers');
  });

  it('never sounds like an end or an error', () => {
    for (const words of [
      notKnownNote(once, nowMs, null),
      ...Object.values(notKnownText(once, nowMs, null)),
      ...Object.values(notKnownText(twice, nowMs, null)),
    ])
      expect(words).not.toMatch(/fail|error|lost|expired|has gone/i);
    expect(notKnownNote(once, nowMs, null)).toBe('not known right now, next check in 14 s');
    expect(notKnownNote(once, nowMs, 'when the connection has a key')).toBe(
      'not known right now, next check when the connection has a key',
    );
  });
});

describe('a job whose stream is pending (ruling 36)', () => {
  const pending: PendingStream = {
    sinceMs: at(14, 2, 11),
    failures: 3,
    nextTryMs: at(14, 29, 40),
    untilMs: at(14, 32),
    reason: 'The service answered 503',
  };

  it('says since when, why, when next, until when, and that the result is safe', () => {
    expect(pendingStreamText(pending, nowMs, null)).toEqual({
      title: 'The rest of the stream is still being fetched, until 14:32',
      text:
        'The job has ended and its result is saved, but Jobdeck has not read its whole stream: 3 reads ' +
        'have failed since 14:02:11. The service answered 503. Next try in 2:10.',
    });
    expect(pendingStreamNote(pending)).toBe('stream still being fetched, until 14:32');
  });

  it('does not mention failures that did not happen', () => {
    expect(pendingStreamText({ ...pending, failures: 0, reason: '' }, nowMs, null).text).toContain(
      'has not read its whole stream yet. Next try',
    );
    expect(pendingStreamText({ ...pending, failures: 1 }, nowMs, null).text).toContain('1 read has failed');
  });

  it('never says that there is no output', () => {
    expect(Object.values(pendingStreamText(pending, nowMs, null)).join(' ')).not.toMatch(/no output/i);
  });
});
