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

it.each([
  ['.', '.'],
  ['..', '..'],
  ['a space', ' '],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['half a character', '\ud800'],
])(
  'a submission accepted with the id %s, which no address can contain, is unknown unless it has the result',
  async (_, id) => {
    service.next({ kind: 'reply', body: { id, status: 'IN_QUEUE' } });
    expect((await api.run('endpoint', '{"input":{}}')).result).toMatchObject({
      ok: false,
      failure: { kind: 'malformed', mayHaveArrived: true, message: expect.stringContaining('no address') as string },
    });
    service.next({ kind: 'reply', body: { id, status: 'COMPLETED', output: 'once' } });
    expect((await api.runsync('endpoint', '{"input":{}}', null)).result).toMatchObject({
      ok: true,
      value: { outputJson: '"once"' },
    });
  },
);
