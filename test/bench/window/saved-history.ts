import { openHistory } from '../../../src-main/history/open-history.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { createSeededRandom } from '../../../src-main/sandbox/seeded-random.ts';
import { encodePng, paintLandscape } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { noBatchLimits } from '../../../src-preload/batch.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { settleIndex } from '../history/measure.ts';

/** A connection that owns the jobs. */
interface Owner {
  id: string;
  baseUrl: string;
}

/** How many rows the batch has that is shown as a table and as images. */
export const batchRows = 10_000;
export const batchName = 'Ten thousand landscapes';

const perCommit = 500;
const betweenJobsMs = 30_000;
const endpoints = ['echo', 'text', 'image', 'mock'];
const tones = ['warm', 'formal', 'playful'];
/** Different images, so that none is decoded once for all rows. */
const landscapes = 24;
const sidePx = 128;

/** Saves `jobs` finished jobs of years, and one batch with an image in each output, in the history at `path`. */
export async function saveHistory(path: string, jobs: number, owner: Owner): Promise<void> {
  const { history } = await openHistory({ path, now: Date.now });
  for (let from = 0; from < jobs; from += perCommit) {
    if (from % 100_000 === 0) console.error(`${from} jobs saved`);
    await history.commit(slice(from, jobs, (number) => nightlyJob(number, jobs, owner)));
  }
  const id = 'batch-of-landscapes';
  const images = Array.from({ length: landscapes }, (_, seed) =>
    encodePng(sidePx, sidePx, paintLandscape(sidePx, sidePx, createSeededRandom(seed))).toString('base64'),
  );
  for (let from = 0; from < batchRows; from += perCommit)
    await history.stageBatchRows(
      id,
      slice(from, batchRows, (at) => rowOfBatch(id, at, { jobs, owner, image: images[at % landscapes] ?? '' })),
    );
  await history.insertBatch(
    {
      id,
      name: batchName,
      connectionId: owner.id,
      endpointId: 'image',
      operation: 'run',
      // The side bar has the batches of the last day.
      createdAtMs: Date.now(),
      limits: noBatchLimits,
    },
    batchRows,
  );
  // The window is measured, without the indexing in the background.
  await settleIndex(history, path);
  await history.close();
}

/** Up to `perCommit` changes from number `from` on, of those below `count`. */
function slice(from: number, count: number, changeOf: (number: number) => JobCommit): JobCommit[] {
  return Array.from({ length: Math.min(perCommit, count - from) }, (_, at) => changeOf(from + at));
}

function nightlyJob(number: number, jobs: number, owner: Owner): JobCommit {
  return aSavedJob({
    number,
    connectionId: owner.id,
    baseUrl: owner.baseUrl,
    endpointId: endpoints[number % endpoints.length] ?? 'echo',
    title: `Nightly evaluation ${number}, rubric v4`,
    ageMs: (jobs - number) * betweenJobsMs,
  });
}

/** A row of a sweep, older than all other jobs, so that the list without the batch begins as before. */
function rowOfBatch(
  batchId: string,
  at: number,
  { jobs, owner, image }: { jobs: number; owner: Owner; image: string },
): JobCommit {
  const seed = (at * 7_919) % 10_007;
  const saved = aSavedJob({
    number: jobs + at,
    connectionId: owner.id,
    baseUrl: owner.baseUrl,
    endpointId: 'image',
    title: `Fog over ridges ${seed}`,
    ageMs: (jobs + batchRows - at) * betweenJobsMs,
  });
  const inputText = JSON.stringify({
    prompt: 'Fog over ridges, 35 mm',
    seed,
    sampling: { steps: 20 + (at % 5) * 4, tone: tones[at % 3] },
    width: sidePx,
    height: sidePx,
  });
  const text = JSON.stringify({ images: [{ type: 'base64', data: image }], score: (seed % 100) / 100, seed });
  const isFailed = saved.job.status === 'FAILED';
  return {
    ...saved,
    job: { ...saved.job, batchId, batchRow: at + 1, outputBytes: isFailed ? 0 : text.length },
    submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    bodies: isFailed ? [] : [{ part: 'output', attempt: 1, text }],
  };
}
