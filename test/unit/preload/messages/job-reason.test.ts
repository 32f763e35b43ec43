import { describe, expect, it } from 'vitest';
import type { CounterEvidence, JobReason } from '../../../../src-preload/job-reason.ts';
import { reasonText, whyHeldBack } from '../../../../src-preload/messages/job-reason.ts';
import { asSentence } from '../../../../src-preload/messages/sentence.ts';

describe('the reason of a job’s state, in a line', () => {
  it.each<[JobReason, string]>([
    [{ kind: 'paused' }, 'Not sent yet: Jobdeck is paused'],
    [{ kind: 'not-sent', said: 'The keychain is locked.' }, 'Not sent yet: The keychain is locked.'],
    [{ kind: 'rate-limited', said: null }, 'Not sent yet: rate limited (429)'],
    [{ kind: 'rate-limited', said: 'Slow down.' }, 'Not sent yet: rate limited (429). Slow down.'],
    [{ kind: 'failed', said: 'out of memory' }, 'out of memory'],
    [{ kind: 'timed-out', limitMs: 90_000, said: null }, 'executionTimeout exceeded: it ran longer than 1.5 min'],
    [{ kind: 'timed-out', limitMs: 90_000, said: 'stopped at step 3' }, 'stopped at step 3'],
    [{ kind: 'cancel-refused', said: 'too late' }, 'Not cancelled: too late'],
    [{ kind: 'not-retried', said: 'no' }, 'Not retried: no'],
    [{ kind: 'connection-removed', wasSent: false }, 'Not sent: its connection was removed'],
    [
      { kind: 'stream-given-up', because: 'left-service', said: 'Bad gateway.' },
      'The rest of its stream expired before Jobdeck could read it. Bad gateway.',
    ],
    [{ kind: 'prose', text: 'As it was.' }, 'As it was.'],
  ])('%j', (reason, text) => {
    expect(reasonText(reason)).toBe(text);
  });
});

describe('a submission without an answer', () => {
  const said = (counters?: CounterEvidence): string =>
    reasonText({
      kind: 'unanswered',
      why: { kind: 'no-answer', said: 'The connection broke.', mentionedId: null },
      ...(counters === undefined ? {} : { counters }),
    });

  it('names an id from the reply', () => {
    expect(said()).toBe('The connection broke.');
    const why = { kind: 'no-answer', said: 'Cut off.', mentionedId: 'a-1' } as const;
    expect(reasonText({ kind: 'unanswered', why })).toBe('Cut off. The reply mentions the id a-1.');
  });

  it('ends what others said as a sentence', () => {
    const text = reasonText({ kind: 'unanswered', why: { kind: 'error', said: 'database is locked' } });
    expect(text).toBe('Jobdeck hit an error while sending this: database is locked.');
    const why = { kind: 'no-answer', said: 'cut off', mentionedId: 'a-1' } as const;
    expect(reasonText({ kind: 'unanswered', why })).toBe('cut off. The reply mentions the id a-1.');
  });

  it('says what the counters show, and what they are compared with', () => {
    expect(said({ more: 1, unanswered: 1, readBeforeMs: null })).toBe(
      'The connection broke. It probably arrived: the endpoint reports one job more than Jobdeck knows.',
    );
    expect(said({ more: 2, unanswered: 3, readBeforeMs: null })).toMatch(/Of 3 jobs .* 2 probably arrived/);
    expect(said({ more: 0, unanswered: 1, readBeforeMs: 40_000 })).toMatch(
      /probably did not arrive.* Compared with a reading 40 s before it was sent\.$/,
    );
    expect(said({ more: 2, unanswered: 2, readBeforeMs: 100 })).toMatch(
      /1 s before they were sent; a job of another client would look the same\.$/,
    );
  });
});

it.each([
  ['Out of memory.', 'Out of memory.'],
  ['Out of memory', 'Out of memory.'],
  ['He said “no.”', 'He said “no.”'],
  ['メモリ不足です。', 'メモリ不足です。'],
  ['', ''],
])('%j as a sentence', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});

it('the reason why a job waits is its own sentence, and nothing else is', () => {
  expect(whyHeldBack({ kind: 'earlier-first' })).toBe('Earlier jobs go first');
  expect(whyHeldBack({ kind: 'prose', text: 'Words of before' })).toBe('Words of before');
  for (const reason of [null, { kind: 'no-output' }, { kind: 'failed', said: 'boom' }] satisfies (JobReason | null)[])
    expect(whyHeldBack(reason)).toBeNull();
});
