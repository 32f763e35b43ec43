import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCredits } from '../../../../src-preload/format.ts';
import { jobCostText } from '../../../../src-renderer/messages/costs/endpoint-cost.ts';
import { viewCostText } from '../../../../src-renderer/messages/costs/list-cost.ts';

describe('credits', () => {
  it.each([
    [0, '0.00'],
    [0.00001, 'under 0.0001'],
    [0.0123, '0.0123'],
    [0.5, '0.50'],
    [3.4219, '3.42'],
    [12_345.6, '12,345.60'],
  ])('%d are written %s', (credits, text) => {
    expect(formatCredits(credits)).toBe(text);
  });
  it('never look like zero unless they are', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e6, noNaN: true }), (credits) => {
        expect(formatCredits(credits)).not.toMatch(/^0\.0+$/);
      }),
    );
  });
  it('of a job are approximate, and say what is missing', () => {
    expect(jobCostText({ kind: 'no-rate' })).toBe('no rate');
    expect(jobCostText({ kind: 'no-time' })).toBe('no execution time yet');
    expect(
      jobCostText({
        kind: 'estimate',
        credits: 0.5,
        executionMs: 1,
        creditsPerHour: 1,
        isRunning: true,
        isPartial: false,
      }),
    ).toBe('about 0.50 credits so far');
  });
  it('of a list name the jobs and how many were read', () => {
    expect(viewCostText({ credits: 3.42, executionMs: 1, pricedJobs: 1_203, unpricedJobs: 0, newestOnly: null })).toBe(
      'about 3.42 credits, 1,203 jobs',
    );
    expect(
      viewCostText({ credits: 3.42, executionMs: 1, pricedJobs: 99_000, unpricedJobs: 1_000, newestOnly: 100_000 }),
    ).toBe('about 3.42 credits, 99,000 jobs of the newest 100,000');
    expect(viewCostText({ credits: 0, executionMs: 0, pricedJobs: 0, unpricedJobs: 4, newestOnly: null })).toBeNull();
  });
});
