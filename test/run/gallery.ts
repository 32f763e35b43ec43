import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { connectTo } from '../e2e/fixtures.ts';
import { launchApp } from '../kit/launch.ts';
import { searchJobs, submitJob, typeInput } from '../kit/person.ts';
import { startSandbox } from '../kit/sandbox.ts';

/*
 * npm run gallery [-- DIR]: the windows in their states on real data, for looking at beside the design:
 * light and dark, 1440x900 and 900x600. Needs a built app.
 */
const outDir = process.argv[2] ?? 'gallery';
const sizes = [{ width: 1440, height: 900 }, { width: 900, height: 600 }] as const;

await mkdir(outDir, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck-gallery-'));
const service = await startSandbox();
const app = await launchApp({ dataDir });
try {
  const page = await app.mainWindow();
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Open the sandbox' }).waitFor();
  await shoot(page, 'onboarding');
  await connectTo(page, service);
  await page.getByText('No jobs yet').waitFor();
  await shoot(page, 'empty');

  await submitJob(page, { endpoint: 'image', input: { prompt: 'Layered mountain ridges in morning fog', width: 640, height: 640, count: 3 } });
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'Extract 34 fields from 120 lease agreements', pages: [1, 2, 3], options: { strict: true, note: 'x'.repeat(3000) } } });
  await submitJob(page, { endpoint: 'mock', input: { title: 'board-call.wav, 2:08:44, en, beam 5, batch 24', mock_delay: 800, mock_error: { error_type: 'OutOfMemoryError', error_message: 'CUDA out of memory. Tried to allocate 6.42 GiB. GPU 0 has 44.5 GiB in total, 3.18 GiB free.', error_traceback: 'Traceback (most recent call last):\n  File "/usr/lib/python3/site-packages/torch/nn/modules/module.py", line 1511, in _call_impl\n    return forward_call(*args)\n  File "/app/handler.py", line 118, in run\n    segments = decode(mel)\n  File "/app/decode.py", line 241, in batch_decode\n    tokens = beam(model, mel[:batch_size], beam_size=5)\ntorch.cuda.OutOfMemoryError: CUDA out of memory.' } } });
  await submitJob(page, { endpoint: 'mock', input: { title: 'Completed with nothing to show' } });
  for (const prompt of ['Rewrite 12 release notes in plain language', 'Translate field manual, 218 pages, to Portuguese', 'Post-incident review of 4182 from 61 pages of logs']) await submitJob(page, { endpoint: 'text', input: { prompt, max_tokens: 220 } });
  for (const title of ['Label 400 support tickets with 18 intents', 'town-hall-2025-11-19.m4a, 1:12:08, en', 'Studio photo of a matte ceramic kettle', 'Judge 200 answers against rubric v4']) await submitJob(page, { endpoint: 'mock', input: { title, mock_delay: 600_000 } });
  await open(page, /Post-incident review/);
  await page.getByText(/in \d{2,} chunks/).first().waitFor();
  await shoot(page, 'streaming');

  await open(page, /board-call/);
  await shoot(page, 'failed');
  await open(page, /Layered mountain/);
  await page.getByRole('tabpanel', { name: 'Output' }).getByRole('img').first().waitFor();
  await shoot(page, 'images');
  await open(page, /Completed with nothing/);
  await shoot(page, 'without-output');
  await open(page, /Extract 34 fields/);
  await page.getByRole('tab', { name: 'Input' }).click();
  await shoot(page, 'input');
  await page.getByRole('tab', { name: /Requests/ }).click();
  await shoot(page, 'requests');
  await page.getByRole('tab', { name: 'Output' }).click();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('re');
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'New job' }).first().click();
  await typeInput(page, '{\n  "model": "large-v3",\n  "word_timestamps": ture,\n  "beam_size": 5\n}');
  await page.getByRole('dialog', { name: 'New job' }).getByRole('radio', { name: 'runsync' }).click();
  await shoot(page, 'composer-problem');
  await page.keyboard.press('Escape');

  await searchJobs(page, 'heliotrope');
  await page.getByText(/Nothing matches/).first().waitFor();
  await shoot(page, 'no-matches');
  await searchJobs(page, '');

  await open(page, /Post-incident review/);
  await service.goOffline();
  await page.getByText(/Offline since/).first().waitFor({ timeout: 60_000 });
  await shoot(page, 'offline');
  await service.goOnline();

  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow(/\/job\//);
  await own.setViewportSize({ width: 1180, height: 820 });
  await shoot(own, 'job-window', false);
} finally {
  await app.kill();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function open(page: Page, name: RegExp): Promise<void> {
  await page.setViewportSize(sizes[0]);
  await page.getByRole('option', { name }).first().click();
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByRole('heading', { name }).first()).toBeVisible();
}

async function shoot(page: Page, name: string, isEverySize = true): Promise<void> {
  for (const size of isEverySize ? sizes : []) {
    await page.setViewportSize(size);
    await shootThemes(page, `${name}-${size.width}`);
  }
  if (!isEverySize) await shootThemes(page, name);
  if (isEverySize) await page.setViewportSize(sizes[0]);
}

async function shootThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(outDir, `${name}-${colorScheme}.png`) });
  }
}
