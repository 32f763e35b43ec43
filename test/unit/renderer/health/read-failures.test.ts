import { afterEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { Health } from '../../../../src-preload/health.ts';
import { showSubject, takeReadFailure, takeReadings, useHealth } from '../../../../src-renderer/health/health-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const failures = [
  { endpointId: 'text', message: 'HTTP 500.' },
  { endpointId: 'image', message: 'HTTP 502.' },
];
const reading: Health = {
  connectionId: 'main',
  endpointId: 'text',
  atMs: 10_000,
  jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 1, running: 0 },
  extra: {},
};

/** Opens the page of health for a connection whose last reads failed before. */
async function open(connectionId: string, endpointId: string | null): Promise<void> {
  answerCalls({
    'health:latest': async () => ok({ health: [], trends: [], failures }),
    'health:series': async () => ok([]),
  });
  showSubject({ connectionId, endpointId });
  await expect.poll(() => useHealth.getState().status).toBe('ready');
}

afterEach(() => vi.unstubAllGlobals());

describe('reads of health that failed before the page was opened', () => {
  it('are known for all endpoints of the connection', async () => {
    await open('main', null);
    expect(useHealth.getState().readFailures).toEqual({ text: 'HTTP 500.', image: 'HTTP 502.' });
  });

  it('are known for the endpoint on the page alone, until it is read', async () => {
    await open('main', 'text');
    expect(useHealth.getState().readFailures).toEqual({ text: 'HTTP 500.' });
    takeReadFailure('text', 'HTTP 503.');
    expect(useHealth.getState().readFailures).toEqual({ text: 'HTTP 503.' });
    takeReadings([reading]);
    expect(useHealth.getState().readFailures).toEqual({});
  });
});
