import { describe, expect, it } from 'vitest';
import { createRequestLog, type RequestLogEntry } from '../../../../src-main/sandbox/server/request-log.ts';

const FACTS: Omit<RequestLogEntry, 'seq'> = {
  atMs: 1,
  durationMs: 2,
  method: 'GET',
  area: 'queue',
  endpointId: 'e',
  operation: 'health',
  jobId: null,
  status: 200,
  requestBytes: 0,
  replyBytes: 3,
  fault: null,
  sentChunks: null,
};

describe('request log', () => {
  const seqs = (entries: RequestLogEntry[]): number[] => entries.map(({ seq }) => seq);

  it('numbers entries from 1 and returns those after a number', () => {
    const log = createRequestLog(5);
    for (let count = 0; count < 3; count += 1) log.add(FACTS);
    expect(log.since(0)).toEqual([1, 2, 3].map((seq) => ({ seq, ...FACTS })));
    expect(seqs(log.since(2))).toEqual([3]);
    expect(log.since(3)).toEqual([]);
    expect(log.since(99)).toEqual([]);
    expect(seqs(log.since(-7))).toEqual([1, 2, 3]);
  });

  it('keeps only the latest, in order', () => {
    const log = createRequestLog(5);
    for (let count = 0; count < 13; count += 1) log.add(FACTS);
    expect(seqs(log.since(0))).toEqual([9, 10, 11, 12, 13]);
    expect(seqs(log.since(10))).toEqual([11, 12, 13]);
    expect(log.lastSeq()).toBe(13);
  });

  it('keeps 1,000 by default', () => {
    const log = createRequestLog();
    for (let count = 0; count < 1_500; count += 1) log.add(FACTS);
    expect(seqs(log.since(0))).toEqual(Array.from({ length: 1_000 }, (_, index) => 501 + index));
  });

  it('notifies its listeners until they unsubscribe', () => {
    const log = createRequestLog();
    const heard: number[] = [];
    const leave = log.listen(({ seq }) => heard.push(seq));
    log.add(FACTS);
    log.add(FACTS);
    leave();
    log.add(FACTS);
    expect(heard).toEqual([1, 2]);
  });
});
