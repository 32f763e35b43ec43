import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { connectTo } from '../e2e/fixtures.ts';
import { launchApp } from '../kit/launch.ts';
import { traceMainThread } from '../kit/main-thread.ts';
import { submitJob } from '../kit/person.ts';
import { startSandbox } from '../kit/sandbox.ts';
import type { BenchResult } from './run.ts';
import { figures } from './stream-window/figures.ts';
import { measurePeers } from './stream-window/peers.ts';

const megabytes = Number(process.env['JOBDECK_BENCH_MB'] ?? 50);
const waitMs = 600_000;
/** The same text in a few large chunks, and in many small ones. */
const sizes = [5_000, 50_000].map((chunks) => {
  const pieceChars = Math.ceil((megabytes * 1e6) / chunks);
  return { chunks: Math.ceil((megabytes * 1e6) / pieceChars), pieceChars };
});

/**
 * The window during a stream (docs/design.md: Speed, no task over 50 ms on a 50 MB stream): in 5,000 chunks, in 50,000,
 * and a finished one opened again. For comparison, a page that appends the same pieces to a <pre>, and one that writes
 * them to xterm.js. Needs a built app. JOBDECK_BENCH_MB (50) sets the size.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck-bench-'));
  const source = {
    id: 'source',
    handler: { moduleUrl: new URL('../kit/stream-source.ts', import.meta.url).href },
    minWorkers: 1,
    maxWorkers: 1,
    coldStartMs: 0,
    idleTimeoutMs: 60_000,
  };
  const service = await startSandbox({ endpoints: [source] });
  const app = await launchApp({ dataDir });
  const result: BenchResult = {};
  try {
    const page = await app.mainWindow();
    await page.setViewportSize({ width: 1440, height: 900 });
    await connectTo(page, service);
    // Another bench measures the first opening of the composer and of a job.
    await submitJob(page, { endpoint: 'source', input: { title: 'Short', chars: 100, piece_chars: 10 } });
    await allShown(page, 10);
    for (const { chunks, pieceChars } of sizes) {
      const what = `${megabytes} MB in ${chunks.toLocaleString('en')} chunks`;
      console.error(what);
      const live = await traceMainThread(page, async () => {
        await submitJob(page, {
          endpoint: 'source',
          input: { title: what, chars: megabytes * 1e6, piece_chars: pieceChars },
        });
        await allShown(page, chunks);
      });
      Object.assign(result, figures(`${what}, live`, live), await openedAgain(page, what, chunks));
    }
    await app.close();
    for (const { chunks, pieceChars } of sizes)
      Object.assign(
        result,
        await measurePeers(
          { chars: megabytes * 1e6, pieceChars },
          `${megabytes} MB in ${chunks.toLocaleString('en')} chunks`,
        ),
      );
    return result;
  } finally {
    await app.kill();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Another view, then the job again: it scrolls to its end immediately. */
async function openedAgain(page: Page, title: string, chunks: number): Promise<BenchResult> {
  console.error(`${title}, opened again`);
  await page.keyboard.press('Escape');
  let [firstTextMs, endMs] = [0, 0];
  const use = await traceMainThread(page, async () => {
    const startedAtMs = performance.now();
    await page.getByRole('option', { name: title }).click();
    const job = page.getByRole('region', { name: 'Job', exact: true });
    await expect(job.getByRole('heading', { name: title })).toBeVisible();
    const text = page.getByRole('document', { name: 'Output text' });
    await expect(text).toContainText('queue');
    firstTextMs = performance.now() - startedAtMs;
    await text.click();
    await page.keyboard.press('End');
    await allShown(page, chunks);
    endMs = performance.now() - startedAtMs;
  });
  return {
    ...figures(`${title}, opened again`, use),
    [`${title}, opened again: first text ms`]: Math.round(firstTextMs),
    [`${title}, opened again: all of it there ms`]: Math.round(endMs),
  };
}

async function allShown(page: Page, chunks: number): Promise<void> {
  await expect(page.getByText(`${chunks.toLocaleString('en')} chunks`, { exact: true }).first()).toBeVisible({
    timeout: waitMs,
  });
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByText('Completed').first()).toBeVisible({
    timeout: waitMs,
  });
}
