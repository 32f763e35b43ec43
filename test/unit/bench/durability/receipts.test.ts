import { expect, it } from 'vitest';
import type { BenchRead } from '../../../bench/durability/due-chunks.ts';
import { withReceipts } from '../../../bench/durability/receipts.ts';

function aRead(atMs: number, clientPort: number): BenchRead {
  return {
    atMs,
    clientPort,
    durationMs: 10,
    status: 200,
    fault: null,
    sentChunks: { retries: 0, from: 0, to: 1, times: 1 },
    replyBytes: 20,
  };
}

it('each read gets the receipt of its job, connection and time, once', () => {
  const receipts = [
    { jobId: 'b', clientPort: 1, atMs: 105 },
    { jobId: 'a', clientPort: 1, atMs: 120 },
    { jobId: 'a', clientPort: 2, atMs: 350 },
  ];
  // The second was not read: its process was killed. The third came on another connection. The fourth is not logged yet.
  const reads = [aRead(100, 1), aRead(200, 1), aRead(300, 2), aRead(400, 2)];
  expect(withReceipts('a', reads, receipts).map(({ receivedAtMs }) => receivedAtMs)).toEqual([120, null, 350, null]);
});
