import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { connectTo } from '../e2e/fixtures.ts';
import { findChromium } from '../kit/chromium.ts';
import { launchApp } from '../kit/launch.ts';
import { submitJob } from '../kit/person.ts';
import { startSandbox } from '../kit/sandbox.ts';
import { traceMainThread } from '../kit/main-thread.ts';
import type { MainThreadUse } from '../kit/main-thread.ts';
import type { BenchResult } from './run.ts';
import { handler } from '../kit/stream-source.ts';

const pieceChars = 4_096;
const megabytes = Number(process.env['JOBDECK_BENCH_MB'] ?? 50);
const smallChunks = Number(process.env['JOBDECK_BENCH_CHUNKS'] ?? 50_000);
const waitMs = 600_000;

/**
 * The window under a stream (docs/design.md: Speed, no task over 50 ms on a 50 MB stream): one of large pieces, one of
 * many small ones, and a finished one opened again; beside a page that appends the same pieces to a <pre>. Needs a
 * built app. JOBDECK_BENCH_MB (50) and JOBDECK_BENCH_CHUNKS (50000) set the sizes.
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
  try {
    const page = await app.mainWindow();
    await page.setViewportSize({ width: 1440, height: 900 });
    await connectTo(page, service);
    const result: BenchResult = {};

    console.error(`${megabytes} MB in pieces of ${pieceChars}`);
    const large = Math.ceil((megabytes * 1e6) / pieceChars);
    const live = await traceMainThread(page, async () => {
      await submitJob(page, {
        endpoint: 'source',
        input: { title: 'Large pieces', chars: megabytes * 1e6, piece_chars: pieceChars },
      });
      await allShown(page, large);
    });
    Object.assign(result, figures(`${megabytes} MB live`, live));

    console.error(`${smallChunks} small chunks`);
    Object.assign(
      result,
      figures(
        `${smallChunks} small chunks live`,
        await traceMainThread(page, async () => {
          await submitJob(page, {
            endpoint: 'source',
            input: { title: 'Small pieces', chars: smallChunks * 12, piece_chars: 12 },
          });
          await allShown(page, smallChunks);
        }),
      ),
    );

    console.error('opened again');
    let [firstTextMs, endMs] = [0, 0];
    Object.assign(
      result,
      figures(
        `${megabytes} MB opened again`,
        await traceMainThread(page, async () => {
          const startedAt = performance.now();
          await page.getByRole('option', { name: /Large pieces/ }).click();
          await expect(
            page.getByRole('region', { name: 'Job', exact: true }).getByRole('heading', { name: 'Large pieces' }),
          ).toBeVisible();
          await expect(page.getByRole('document', { name: 'Output text' })).toContainText('queue');
          firstTextMs = performance.now() - startedAt;
          await page.getByRole('document', { name: 'Output text' }).click();
          await page.keyboard.press('End');
          await allShown(page, large);
          endMs = performance.now() - startedAt;
        }),
      ),
    );
    result[`${megabytes} MB opened again, first text ms`] = Math.round(firstTextMs);
    result[`${megabytes} MB opened again, all of it there ms`] = Math.round(endMs);
    await app.close();

    console.error('peer');
    return { ...result, ...(await measurePeer()) };
  } finally {
    await app.kill();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function allShown(page: Page, chunks: number): Promise<void> {
  await expect(page.getByText(`${chunks.toLocaleString('en')} chunks`, { exact: true }).first()).toBeVisible({
    timeout: waitMs,
  });
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByText('Completed').first()).toBeVisible({
    timeout: waitMs,
  });
}

const peerSeconds = 60;

/** The plainest window: what arrives is appended to a <pre> that stays at its end. Stopped after a minute. */
async function measurePeer(): Promise<BenchResult> {
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.end('<!doctype html><pre style="height:600px;width:580px;overflow:auto;white-space:pre-wrap"></pre>');
      return;
    }
    void (async () => {
      response.once('close', () => response.emit('drain'));
      for await (const piece of handler({
        id: '',
        input: { chars: megabytes * 1e6, piece_chars: pieceChars },
        signal: AbortSignal.timeout(waitMs),
        progress: () => undefined,
      })) {
        if (response.destroyed) return;
        if (!response.write(piece)) await once(response, 'drain');
      }
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://127.0.0.1:${port}/`);
    let shownMB = 0;
    const use = await traceMainThread(page, async () => {
      shownMB = await page.evaluate(async (seconds) => {
        const pre = document.querySelector('pre');
        const body = (await fetch('/stream')).body;
        if (pre === null || body === null) return 0;
        const until = performance.now() + seconds * 1_000;
        let chars = 0;
        for await (const piece of body.pipeThrough(new TextDecoderStream())) {
          chars += piece.length;
          pre.append(piece);
          pre.scrollTop = pre.scrollHeight;
          if (performance.now() > until) break;
        }
        return chars / 1e6;
      }, peerSeconds);
    });
    return {
      [`peer: MB appended in at most ${peerSeconds} s`]: Math.round(shownMB * 10) / 10,
      ...figures('peer', use),
    };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

function figures(what: string, use: MainThreadUse): BenchResult {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    [`${what}: longest task ms of CPU`]: round(use.longestTaskCpuMs),
    [`${what}: longest task ms`]: round(use.longestTaskMs),
    [`${what}: tasks over 50 ms of CPU`]: use.longTasks,
    [`${what}: CPU s`]: round(use.totalCpuMs / 1_000),
    [`${what}: took s`]: round(use.tookMs / 1_000),
    [`${what}: heap MB`]: round(use.heapMB),
  };
}
