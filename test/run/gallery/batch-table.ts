import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { connectTo } from '../../e2e/fixtures.ts';
import { sendBatch } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const tones = ['warm', 'formal', 'playful'];

/** A sweep of 24 rows as a table, as it runs and when it is finished, and a batch of images. */
export async function batchTable({ launch, startService, dataDir }: Stage): Promise<void> {
  const path = join(dataDir, 'replies.mjs');
  await writeFile(path, repliesHandler);
  const scaling = { minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };
  const service = await startService({
    endpoints: [
      { id: 'llm-70b', handler: { moduleUrl: pathToFileURL(path).href }, ...scaling },
      { id: 'image', handler: { builtIn: 'image' }, ...scaling },
    ],
  });
  const { page } = await launch();
  await connectTo(page, service);
  await sendBatch(page, 'Tone, temperature and seed', sweep, 'llm-70b');
  await page.getByRole('button', { name: 'Tone, temperature and seed', exact: true }).click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await strip.getByRole('radio', { name: 'Table' }).check();
  await page.getByRole('grid', { name: 'Rows of the batch' }).getByRole('columnheader', { name: /tone/ }).waitFor();
  await strip.getByRole('button', { name: /[2-9] completed/ }).waitFor({ timeout: 30_000 });
  await shoot(page, 'batch-table-running');
  await strip.getByText('finished').waitFor({ timeout: 60_000 });
  await page
    .getByRole('columnheader', { name: /score/ })
    .getByRole('button', { name: /^score/ })
    .click();
  await page.getByRole('row', { name: /^Row 17,/ }).click();
  await page.getByRole('grid', { name: 'Rows of the batch' }).evaluate((grid) => grid.scrollTo({ left: 0 }));
  await shoot(page, 'batch-table');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Job', exact: true }).waitFor();
  await shoot(page, 'batch-table-beside-job');
  await images(page);
}

async function images(page: Page): Promise<void> {
  await sendBatch(page, 'Landscapes', landscapes, 'image');
  await page.getByRole('button', { name: 'Landscapes', exact: true }).click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await strip.getByRole('radio', { name: 'Images' }).check();
  await strip.getByText('finished').waitFor({ timeout: 60_000 });
  await page
    .getByRole('option', { name: /^Row 12,/ })
    .locator('img')
    .waitFor({ timeout: 20_000 });
  await page.getByRole('option', { name: /^Row 3,/ }).click();
  await shoot(page, 'batch-images');
}

const sweep = Array.from({ length: 24 }, (_, at) => ({
  prompt: 'Answer the customer whose parcel is late by two days',
  tone: tones[at % 3],
  sampling: { temperature: [0.2, 0.7][Math.floor(at / 3) % 2], top_p: 0.95 },
  seed: 101 + Math.floor(at / 6),
}));

/** Answers after a while that depends on the input. One row fails. */
const repliesHandler = `
  const openings = {
    warm: 'Thank you so much for your patience. Your parcel left our little warehouse on Monday',
    formal: 'We regret the delay. According to the carrier, your parcel was handed over on Monday',
    playful: 'Your parcel took the scenic route! It waved goodbye to our warehouse on Monday',
  };
  export async function handler({ input: { tone, seed, sampling: { temperature } } }) {
    const turn = seed * 7 + tone.length * 31 + Math.round(temperature * 10) * 13;
    await new Promise((resolve) => setTimeout(resolve, 200 + ((turn * 677) % 1800)));
    if (seed === 102 && tone === 'formal' && temperature > 0.5)
      throw new Error('CUDA out of memory. Tried to allocate 2.40 GiB.');
    return {
      text: openings[tone] + ', and should be with you by Thursday.',
      score: Number((0.61 + ((turn * 37) % 31) / 100).toFixed(2)),
      usage: { input_tokens: 212, output_tokens: 38 + (turn % 40) },
      flags: turn % 5 === 0 ? ['promises a date'] : [],
    };
  }
`;

const landscapes = Array.from({ length: 12 }, (_, at) => ({
  prompt: 'Fog over ridges, 35 mm',
  seed: 901 + (at % 4),
  steps: [20, 28, 36][Math.floor(at / 4)],
  width: 512,
  height: 512,
}));
