import { describe, expect, it } from 'vitest';
import { estimateGrid, type EstimateFacts } from '../../../../../src-renderer/composer/variables/grid-estimate.ts';
import { basisText } from '../../../../../src-renderer/messages/composer/variables.ts';

const facts: EstimateFacts = {
  runTimes: { endpointId: 'text', count: 20, executionP50Ms: 60_000, executionP95Ms: 90_000, delayP95Ms: null },
  creditsPerHour: 2,
  workers: 4,
  maxLive: null,
  perWindow: 100,
};

/** The estimate of eight jobs, and its sentences. */
function estimated(changes: Partial<EstimateFacts> = {}) {
  const { credits, ms, workers, ...rest } = estimateGrid(8, { ...facts, ...changes });
  return { credits: credits === null ? null : credits.toFixed(3), ms, workers, text: basisText(rest) };
}

describe('the estimate of a grid or a batch', () => {
  it('is computed from earlier run times, the rate and the workers', () => {
    expect(estimated()).toEqual({
      credits: '0.267',
      ms: 120_000,
      workers: 4,
      text: 'From 20 finished jobs at p50 1:00.',
    });
    expect(estimated({ maxLive: 2 })).toMatchObject({ ms: 240_000, workers: 2 });
    // A worker will start for the first job.
    expect(estimated({ workers: 0 })).toMatchObject({ ms: 480_000, workers: 1 });
  });

  it('has no time if the workers were not read lately, and says so; the cost does not depend on them', () => {
    const { credits, ms, text } = estimated({ workers: undefined, maxLive: 2 });
    expect({ credits, ms }).toEqual({ credits: '0.267', ms: null });
    expect(text).toContain('workers of this endpoint have not been read lately, so the time is unknown');
  });

  it('does not say that no job has finished, or that there is no rate, before these are read', () => {
    expect(estimated({ runTimes: undefined })).toMatchObject({
      credits: null,
      ms: null,
      text: expect.stringMatching(/^The run times of this endpoint have not been read yet/),
    });
    expect(estimated({ runTimes: null }).text).toMatch(/^No job of this endpoint has finished yet/);
    expect(estimated({ creditsPerHour: undefined }).text).toMatch(/The rates have not been read yet/);
    expect(estimated({ creditsPerHour: null }).text).toMatch(/Set a rate on the endpoint’s page/);
  });
});
