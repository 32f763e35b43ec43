import { expect, it } from 'vitest';
import { createDispatch } from '../../../../src-main/job/context/dispatch.ts';
import { Reachability } from '../../../../src-main/job/context/reachability.ts';
import { RateGovernor } from '../../../../src-main/service/rate-governor.ts';
import { aFailure } from '../records.ts';

it('lets an unreachable connection be tried again after its key could not be read', async () => {
  const now = (): number => 1_000;
  const random = (): number => 0.5;
  const reachability = new Reachability({
    now,
    random,
    onChange: () => undefined,
    onClosures: () => undefined,
    onRefused: () => undefined,
  });
  const governor = new RateGovernor({ share: () => ({ rateShare: 1, concurrencyShare: 1 }), random });
  const dispatch = createDispatch({
    governor,
    reachability,
    now,
    onRequest: () => undefined,
    apiFor: () => Promise.reject(new Error('The keychain did not answer')),
  });
  reachability.unanswered(
    { connectionId: 'main', endpointId: 'echo', operation: 'status' },
    aFailure({ kind: 'network', mayHaveArrived: false }),
  );
  const sent = dispatch.send({
    to: { connectionId: 'main', baseUrl: 'http://127.0.0.1:1', endpointId: 'echo' },
    operation: 'status',
    jobKey: null,
    call: (api, signal) => api.status('echo', 'job-1', { signal }),
    describe: () => '',
  });
  await expect(sent).rejects.toThrow('The keychain did not answer');
  expect(reachability.access('main')).toMatchObject({ kind: 'offline', isProbing: false });
  expect(dispatch.inFlight().size).toBe(0);
});
