import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import type { NewChunk } from '../../../src-main/history/records.ts';
import { encodePng } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';
import type { StreamPage } from '../../../src-preload/stream-digest.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { openTestHistory } from '../../kit/threads.ts';

let folder: string;
let history: History;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-pages-'));
  ({ history } = await openTestHistory({ path: join(folder, 'history.db'), now: () => 1_000 }));
});
afterEach(async () => {
  await history.close();
  await rm(folder, { recursive: true, force: true });
});

const job = aSavedJob({
  number: 1,
  connectionId: 'c',
  baseUrl: 'http://127.0.0.1:1',
  endpointId: 'text',
  title: 'Streamed',
  ageMs: 0,
});
const { key } = job.job;

async function pagesOf(chunks: NewChunk[]): Promise<StreamPage[]> {
  await history.commit([job]);
  await history.appendChunks(key, 1, chunks, 7);
  const pages: StreamPage[] = [];
  for (let fromSeq = 0; ;) {
    const page = await history.streamPage(key, 1, fromSeq, {});
    if (page === null) throw new Error('There is no such job.');
    pages.push(page);
    if (page.isLast) return pages;
    fromSeq = page.nextSeq;
  }
}

it('returns a stream of many small chunks in a few consecutive pages that contain all of it', async () => {
  const chunks = Array.from({ length: 9_001 }, (_, at) => ({
    outputJson: JSON.stringify({ token: `w${at} `, output_tokens: 1 }),
    metricsJson: at % 2 === 0 ? `{"running":${at % 5}}` : null,
  }));
  const pages = await pagesOf(chunks);
  expect(pages.map(({ fromSeq, nextSeq, isLast }) => [fromSeq, nextSeq, isLast])).toEqual([
    [0, 1_569, false],
    [1_569, 5_569, false],
    [5_569, 9_001, true],
  ]);
  const whole = digestOf(chunks.map((chunk) => ({ ...chunk, receivedAtMs: 7 })));
  expect(pages.map(({ digest }) => digest.text).join('')).toBe(whole.text);
  expect(pages.flatMap(({ digest }) => digest.outputTokens)).toEqual(whole.outputTokens);
  expect(pages.flatMap(({ digest }) => digest.metrics.values.running ?? [])).toEqual(whole.metrics.values.running);
  expect(pages.flatMap(({ digest }) => digest.arrivals.atMs)).toEqual(whole.arrivals.atMs);
  expect(pages[0]?.digest.arrivals.places).toEqual(whole.arrivals.places.slice(0, 1_569));
  expect(pages[0]?.firstReceivedAtMs).toBe(7);
});

it('ends a page after the chunk that makes it large', async () => {
  const large = { outputJson: JSON.stringify('x'.repeat(1_000_000)), metricsJson: null };
  const pages = await pagesOf([large, large, { outputJson: '"end"', metricsJson: null }]);
  expect(pages.map(({ nextSeq }) => nextSeq)).toEqual([1, 2, 3]);
});

it('begins with a page of a few screens, for which a window waits, and continues with larger ones', async () => {
  const chunks = Array.from({ length: 100 }, () => ({
    outputJson: JSON.stringify('x'.repeat(9_998)),
    metricsJson: null,
  }));
  const pages = await pagesOf(chunks);
  expect(pages.map(({ fromSeq, nextSeq }) => nextSeq - fromSeq)).toEqual([7, 53, 40]);
});

it('counts images by their chunks and leaves their data out of the text, unless it is requested', async () => {
  const image = encodePng(100, 100, randomBytes(30_000)).toString('base64');
  const preview = (step: number): NewChunk => ({ outputJson: JSON.stringify({ step, image }), metricsJson: null });
  const chunks = [
    { outputJson: '"Begins. "', metricsJson: null },
    ...Array.from({ length: 60 }, (_, at) => preview(at)),
  ];
  const pages = await pagesOf(chunks);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flatMap(({ fromSeq, digest }) => digest.media.map(({ seq }) => fromSeq + seq))).toEqual(
    chunks.slice(1).map((_, at) => at + 1),
  );
  expect(pages.map(({ digest }) => digest.text).join('').length).toBeLessThan(60 * 60);
  expect((await history.streamPage(key, 1, 1, { withMedia: true }))?.digest.text).toContain(image);
  // The bytes of one are read alone.
  expect((await history.chunks(key, 1, 59, 1)).map(({ outputJson }) => outputJson)).toEqual([preview(58).outputJson]);
  const found = await history.list({ ...emptyFilter, has: ['images'] }, null, 10);
  expect(found.jobs.map((each) => each.key)).toEqual([key]);
});

it('returns an empty last page if nothing is stored, and null for a job that does not exist', async () => {
  expect(await history.streamPage('nobody', 1, 0, {})).toBeNull();
  await history.commit([job]);
  expect(await history.streamPage(key, 1, 0, {})).toMatchObject({
    fromSeq: 0,
    nextSeq: 0,
    isLast: true,
    firstReceivedAtMs: null,
    digest: { text: '' },
  });
});
