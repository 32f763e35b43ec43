import { describe, expect, it } from 'vitest';
import { formerError } from '../../../../src-renderer/job/error-block.tsx';

describe('the error of a former attempt', () => {
  const nested = JSON.stringify({
    error_type: 'OutOfMemoryError',
    error_message: 'CUDA out of memory',
    error_traceback: 'Traceback',
  });

  it('is read from a JSON text, even one within a string', () => {
    const parts = { summary: 'CUDA out of memory', type: 'OutOfMemoryError', traceback: 'Traceback' };
    expect(formerError({ errorText: nested })).toEqual({ ...parts, raw: nested });
    expect(formerError({ errorText: JSON.stringify(nested) })).toMatchObject(parts);
  });

  it('is the text itself if it has no parts', () => {
    expect(formerError({ errorText: 'worker exited' })).toEqual({
      summary: 'worker exited',
      type: null,
      traceback: null,
      raw: 'worker exited',
    });
    expect(formerError({ errorText: '[1]' })?.summary).toBe('[1]');
  });

  it('is none if none was saved', () => {
    expect(formerError({ errorText: null })).toBeNull();
    expect(formerError(null)).toBeNull();
  });
});
