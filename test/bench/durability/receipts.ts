import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { systemClock } from '../../../src-main/time/clock.ts';
import type { BenchRead } from './due-chunks.ts';

/** A client's process had read the answer to a read of this job's stream, or had stopped reading it. */
export interface Receipt {
  jobId: string;
  /** Of its connection. */
  clientPort: number;
  /** Epoch milliseconds. */
  atMs: number;
}

const fileName = 'receipts.ndjson';

/**
 * Has this process note each answer about a stream that it has read, at once, in a file of the folder. So the bench can
 * distinguish an answer that was read and not saved from one that still waited in the system when the process was killed.
 */
export function noteReceipts(folder: string): void {
  const path = join(folder, fileName);
  subscribe('http.client.response.finish', (message) => {
    if (!(message instanceof Object && 'request' in message && 'response' in message)) return;
    const { request, response } = message;
    if (!(request instanceof ClientRequest) || !(response instanceof IncomingMessage)) return;
    const jobId = /\/stream\/([^/?]+)$/.exec(request.path)?.[1];
    const clientPort = response.socket.localPort;
    if (jobId === undefined || clientPort === undefined) return;
    response.once('close', () => {
      const receipt: Receipt = { jobId, clientPort, atMs: systemClock.now() };
      appendFileSync(path, `${JSON.stringify(receipt)}\n`);
    });
  });
}

/** The receipts of a folder, oldest first. A line that a kill cut off is left out. */
export function readReceipts(folder: string): Receipt[] {
  const path = join(folder, fileName);
  if (!existsSync(path)) return [];
  // Each line is written at once, so only a line with its end is whole.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): Receipt => JSON.parse(line));
}

/** The reads of a job's stream, each with the time of its receipt. `reads` and `receipts` are in the order of time. */
export function withReceipts(jobId: string, reads: readonly BenchRead[], receipts: readonly Receipt[]): BenchRead[] {
  const left = receipts.filter((receipt) => receipt.jobId === jobId);
  return reads.map((read) => {
    const at = left.findIndex(({ clientPort, atMs }) => clientPort === read.clientPort && atMs >= read.atMs);
    return { ...read, receivedAtMs: left.splice(at, at === -1 ? 0 : 1)[0]?.atMs ?? null };
  });
}
