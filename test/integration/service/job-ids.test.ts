import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isJobId } from '../../../src-preload/job-bounds.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../../src-main/service/reply.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import type { FaultService } from '../../kit/fault-service.ts';

let service: FaultService;
let api: QueueApi;
beforeAll(async () => {
  service = await createFaultService();
  api = createQueueApi(
    { baseUrl: `${service.url}/base`, restUrl: null, authorization: 'bearer', readKey: async () => 'key' },
    { now: () => 0 },
  );
});
afterAll(() => service.close());

const jobId = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'abz09-_.:=+/~%?#&@!*\'"\\ ;,[]{}'), minLength: 1, maxLength: 60 }),
  )
  .filter(isJobId);

it('any printable id reaches the service unchanged, in one segment of the path', async () => {
  await fc.assert(
    fc.asyncProperty(jobId, fc.constantFrom('status', 'stream', 'cancel', 'retry'), async (id, operation) => {
      const before = service.requests.length;
      await api[operation]('end/point', id);
      expect(service.requests).toHaveLength(before + 1);
      const segments = (service.requests.at(-1)?.path ?? '').split('/');
      expect(segments.map(decodeURIComponent)).toEqual(['', 'base', 'v2', 'end/point', operation, id]);
    }),
    { numRuns: 300 },
  );
});

it.each(['', ' ', '.', '..', 'line\nbreak', '\u0000', '\u200b', '\ud800', ' around ', 'x'.repeat(201)])(
  'is not an id: %j',
  (text) => {
    expect(isJobId(text)).toBe(false);
  },
);

it.each(['.', '..', '', '  '])('nothing is sent for an id that would change the path: %j', async (text) => {
  const before = service.requests.length;
  const { result } = await api.status('endpoint', text);
  expect(result).toMatchObject({ ok: false, failure: { kind: 'invalid', mayHaveArrived: false } });
  expect(service.requests).toHaveLength(before);
});

it.each(['a:b', 'a=b', 'a+b', 'a/b', 'a~b', '../../health', '04f01223-4aa2-40df-bdab-37e5caa43cbe-u1'])(
  'is an id: %s',
  (text) => {
    expect(isJobId(text)).toBe(true);
  },
);
