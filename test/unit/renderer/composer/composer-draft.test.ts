import { describe, expect, it } from 'vitest';
import {
  emptyDraft,
  fromSubmission,
  readSavedDraft,
  withExample,
} from '../../../../src-renderer/composer/composer-draft.ts';
import { buildSubmissionBody } from '../../../../src-main/service/submission-body.ts';
import { checkDraft, toSubmission, type DraftCheck } from '../../../../src-renderer/composer/draft-check.ts';
import type { ComposerDraft } from '../../../../src-renderer/composer/composer-draft.ts';

const draft = (changes: Partial<ComposerDraft> = {}): ComposerDraft => ({
  ...emptyDraft('connection-1', 'text'),
  inputText: '{"prompt":"fog"}',
  ...changes,
});
const connections = [{ id: 'connection-1', endpoints: [{ id: 'text', label: '', flavour: 'text' as const }] }];
const checked = (one: ComposerDraft): DraftCheck => checkDraft(one, connections);
const problemsOf = (changes: Partial<ComposerDraft>): string[] =>
  checked(draft(changes)).problems.map((problem) => `${problem.field}: ${problem.message}`);

describe('checkDraft', () => {
  it('accepts a plain input', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it('requires an existing endpoint', () => {
    const toNowhere = (
      changes: Partial<ComposerDraft>,
      all: Parameters<typeof checkDraft>[1] = connections,
    ): unknown[] => checkDraft(draft(changes), all).problems;
    expect(toNowhere({}, [])).toEqual([{ field: 'endpoint', message: 'Add a connection first' }]);
    for (const gone of [{ endpointId: '' }, { endpointId: 'other' }, { connectionId: 'removed' }])
      expect(toNowhere(gone)).toEqual([{ field: 'endpoint', message: 'Choose an endpoint' }]);
  });

  it('reports the line and column of invalid JSON', () => {
    const [problem] = problemsOf({ inputText: '{\n  "word_timestamps": ture\n}' });
    expect(problem).toMatch(/^input: Line 2, column 22: /);
  });

  it('requires an object, and only hints at an empty one (ruling 17)', () => {
    expect(problemsOf({ inputText: '[1]' })).toEqual(['input: The input must be an object: { … }']);
    expect(problemsOf({ inputText: 'null' })).toHaveLength(1);
    expect(checked(draft({ inputText: '{}' }))).toMatchObject({
      problems: [],
      hints: [expect.stringContaining('some workers reject it')],
    });
  });

  it('limits the policy to the bounds of the spec', () => {
    expect(problemsOf({ executionTimeoutText: '4 s' })).toEqual(['executionTimeout: Must be between 5 s and 7 days']);
    expect(problemsOf({ executionTimeoutText: '5 s' })).toEqual([]);
    expect(problemsOf({ ttlText: '9 s' })).toEqual(['ttl: Must be between 10 s and 7 days']);
    expect(problemsOf({ ttlText: '7 d' })).toEqual([]);
    expect(problemsOf({ ttlText: '7 d 1 s' })).toHaveLength(1);
    expect(problemsOf({ ttlText: 'soon' })).toEqual(['ttl: Enter a duration, e.g. 20 min or 1 h']);
  });

  it('warns and allows if the execution timeout is longer than the ttl (ruling 18)', () => {
    const check = checked(draft({ executionTimeoutText: '2 h', ttlText: '1 h' }));
    expect(check.problems).toEqual([]);
    expect(check.hints.join(' ')).toMatch(/ttl ends before the execution timeout/);
  });

  it('bounds the wait of runsync only', () => {
    expect(problemsOf({ operation: 'runsync', waitText: '6 min' })).toEqual(['wait: Between 1 s and 5 min']);
    expect(problemsOf({ operation: 'run', waitText: '6 min' })).toEqual([]);
    expect(checked(draft({ operation: 'runsync' })).waitMs).toBe(90_000);
  });

  it('requires an http address as webhook', () => {
    expect(problemsOf({ webhook: 'ftp://example.test' })).toEqual([
      'webhook: The webhook must be an http or https address',
    ]);
    // It would be refused when it is sent.
    expect(problemsOf({ webhook: 'http:example.test' })).toHaveLength(1);
    expect(problemsOf({ webhook: 'https://example.test/hook' })).toEqual([]);
  });

  it('refuses an oversized body with its size and says where it would fit (ruling 16)', () => {
    const inputText = JSON.stringify({ audio: 'x'.repeat(13_400_000) });
    expect(problemsOf({ inputText })).toEqual([
      'input: 13.4 MB; run accepts less than 10.0 MB. runsync would accept it',
    ]);
    expect(problemsOf({ inputText, operation: 'runsync' })).toEqual([]);
  });

  it('counts bytes, not characters', () => {
    expect(
      checked(draft({ inputText: '{"a":"ü"}' })).bodyBytes - checked(draft({ inputText: '{"a":"u"}' })).bodyBytes,
    ).toBe(1);
  });

  it('counts the whole body as it is sent, with its webhook and policy', () => {
    for (const changes of [
      {},
      { webhook: ' https://hooks.example.com/jöbs?a="1" ' },
      { ttlText: '2h', executionTimeoutText: '10m', isLowPriority: true, webhook: 'https://a.example' },
    ]) {
      const one = draft(changes);
      const { inputText, webhook = '', policy = {} } = toSubmission(one, checked(one));
      const body = buildSubmissionBody({ inputText, webhook, policy });
      expect(checked(one).bodyBytes).toBe(Buffer.byteLength(body));
    }
    const webhook = `https://hooks.example.com/${'x'.repeat(1_000)}`;
    const inputText = JSON.stringify({ audio: 'x'.repeat(10_000_000 - 500) });
    expect(problemsOf({ inputText })).toEqual([]);
    expect(problemsOf({ inputText, webhook })).toEqual([expect.stringContaining('run accepts less than 10.0 MB')]);
  });
});

describe('a draft being sent', () => {
  it('sends only what was set', () => {
    const plain = draft();
    expect(toSubmission(plain, checked(plain))).toEqual({
      connectionId: 'connection-1',
      endpointId: 'text',
      operation: 'run',
      inputText: '{"prompt":"fog"}',
    });
    const full = draft({
      operation: 'runsync',
      waitText: '2:00',
      executionTimeoutText: '20 min',
      ttlText: '1 h',
      isLowPriority: true,
      webhook: ' https://example.test/h ',
      s3ProfileId: 's3-1',
    });
    expect(toSubmission(full, checked(full))).toEqual({
      connectionId: 'connection-1',
      endpointId: 'text',
      operation: 'runsync',
      inputText: '{"prompt":"fog"}',
      waitMs: 120_000,
      policy: { executionTimeout: 1_200_000, ttl: 3_600_000, lowPriority: true },
      webhook: 'https://example.test/h',
      s3ProfileId: 's3-1',
    });
  });

  it('is restored from a saved submission unchanged', () => {
    const full = draft({
      operation: 'runsync',
      waitText: '2 min',
      executionTimeoutText: '20 min',
      ttlText: '1 h',
      isLowPriority: true,
      isKeptWhole: false,
      webhook: 'https://example.test/h',
      s3ProfileId: 's3-1',
    });
    expect(fromSubmission(toSubmission(full, checked(full)))).toEqual(full);
  });

  it('is read back from disk, even with an invalid input', () => {
    const unfinished = draft({ inputText: '{"prompt": "half' });
    expect(readSavedDraft(JSON.stringify(unfinished))).toEqual(unfinished);
    // One that an earlier version kept knows nothing of what came later.
    const { isKeptWhole: _, ...earlier } = unfinished;
    expect(readSavedDraft(JSON.stringify(earlier))).toEqual(unfinished);
    expect(readSavedDraft('')).toBeNull();
    expect(readSavedDraft('{"inputText":')).toBeNull();
    expect(readSavedDraft('[]')).toBeNull();
  });
});

describe('an example', () => {
  const example = '{"prompt": "Layered mountain ridges"}';

  it('becomes the input of an empty draft', () => {
    const fresh = emptyDraft('connection-1', 'text');
    expect(withExample(fresh, example)).toEqual({ ...fresh, inputText: example });
    expect(withExample({ ...fresh, inputText: ' \n' }, example).inputText).toBe(example);
    expect(withExample(fresh, undefined)).toBe(fresh);
  });

  it('never replaces typed text', () => {
    const typed = draft({ inputText: '{"prompt": "half' });
    expect(withExample(typed, example)).toBe(typed);
  });
});
