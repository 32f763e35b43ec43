import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJobError } from '../../../src-main/service/job-error.ts';

describe('the error of a failed job', () => {
  const traceback =
    'Traceback (most recent call last):\n  File "handler.py", line 12, in handler\n    run()\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n';

  it('parses the nested JSON string (field notes: Status and result)', () => {
    const raw = JSON.stringify({
      error_type: "<class 'torch.cuda.OutOfMemoryError'>",
      error_message: 'CUDA out of memory',
      error_traceback: traceback,
      hostname: 'h',
      worker_id: 'w',
      runpod_version: '1.7',
    });
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    const twice = JSON.stringify(raw);
    expect(readJobError(twice)).toEqual({
      summary: 'CUDA out of memory',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw: twice,
    });
  });

  it.each([
    ['job timed out after 1 retries', 'job timed out after 1 retries', null],
    [
      'Total pixels (262144) must be between 589824 and 2073600.',
      'Total pixels (262144) must be between 589824 and 2073600.',
      null,
    ],
    ['{"message":"bad input","code":3}', 'bad input', null],
    [
      '{"name":"TypeError","message":"x is undefined","stack":"TypeError: x is undefined\\n    at run"}',
      'x is undefined',
      'TypeError',
    ],
    ['{"error_type":"ValueError"}', 'The worker gave no reason.', 'ValueError'],
    ['["first","second"]', 'first', null],
    ['{not json', '{not json', null],
    ['', 'The worker gave no reason.', null],
  ])('%j', (raw, summary, type) => {
    expect(readJobError(raw)).toMatchObject({ summary, type, raw });
  });

  it('uses the last line of a plain traceback', () => {
    const raw = `worker log\n${traceback}`;
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory. Tried to allocate 2.00 GiB',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    expect(
      readJobError(JSON.stringify({ error_traceback: 'Traceback (most recent call last):\nKeyError' })),
    ).toMatchObject({ summary: 'KeyError', type: 'KeyError' });
  });

  it('reads both ends of a text of many megabytes, at any depth, and keeps all of it', () => {
    const raw = `${'log line\n'.repeat(500_000)}${traceback}`;
    expect(readJobError(raw)).toEqual({
      summary: 'CUDA out of memory. Tried to allocate 2.00 GiB',
      type: 'torch.cuda.OutOfMemoryError',
      traceback,
      raw,
    });
    for (const deep of [
      `${'['.repeat(100_000)}"no"${']'.repeat(100_000)}`,
      `${'{"error":'.repeat(100_000)}"no"${'}'.repeat(100_000)}`,
    ])
      expect(readJobError(deep)).toMatchObject({ summary: expect.any(String), raw: deep });
  });

  it('always has a summary of one line and keeps the raw text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (raw) => {
        const error = readJobError(raw);
        expect(error.raw).toBe(raw);
        expect(error.summary).toMatch(/^\S(.*\S)?$/);
      }),
    );
  });
});
