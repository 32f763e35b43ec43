import { afterEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../../../../../src-preload/failure.ts';
import type { StreamChunk } from '../../../../../src-preload/job.ts';
import { createRawReader } from '../../../../../src-renderer/job/output/raw-chunks.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

type Page = Result<StreamChunk[]>;

const chunkOf = (seq: number): StreamChunk => ({ seq, receivedAtMs: seq, outputJson: String(seq), metricsJson: null });

/** A reader of a stream with so many chunks, and the reads that are not answered yet. */
function aReader(chunkCount: number) {
  const log = { chunkCount };
  const asked: { fromSeq: number; answer: (page: Page) => void }[] = [];
  answerCalls({
    'job:chunks': ({ fromSeq }) => new Promise((answer) => asked.push({ fromSeq, answer })),
  });
  return { log, asked, reader: createRawReader('k', 1, log) };
}

test('a read is not begun again while it lasts, so that a slow one ends too', async () => {
  const { log, asked, reader } = aReader(2);
  let pages = 0;
  const first = reader.readOn(() => (pages += 1));
  log.chunkCount = 3;
  void reader.readOn(() => (pages += 1));
  expect(asked).toHaveLength(1);
  asked[0]?.answer(ok([chunkOf(0), chunkOf(1)]));
  await first;
  expect([reader.array.text(), pages]).toEqual(['[0,1]', 1]);
  const second = reader.readOn(() => (pages += 1));
  expect(asked[1]?.fromSeq).toBe(2);
  asked[1]?.answer(ok([chunkOf(2)]));
  await second;
  expect(reader.array.text()).toBe('[0,1,2]');
});

test('what is read after it was stopped is not added, and the same is read by the next read', async () => {
  const { asked, reader } = aReader(1);
  const first = reader.readOn(() => {});
  reader.stop();
  const second = reader.readOn(() => {});
  for (const { answer } of asked) answer(ok([chunkOf(0)]));
  await Promise.all([first, second]);
  expect([asked.length, reader.array.text()]).toEqual([2, '[0]']);
});
