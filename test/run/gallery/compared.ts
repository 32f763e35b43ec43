import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { connectTo } from '../../e2e/fixtures.ts';
import { sendBatch, submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const warmText =
  'A gorgeous, matte ceramic kettle that brings warmth to any kitchen. It holds 1.2 litres, boils in under ' +
  'four minutes and switches off by itself. The handle stays cool, so every pour feels just right.';
const plainText =
  'A matte ceramic kettle that fits a small worktop. It holds 1.2 litres, boils in 3 min 40 s and switches off ' +
  'by itself. The handle stays cool for the whole boil.';

/** Two jobs side by side, three with an image each, and the rows of two batches in pairs. */
export async function compared({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  const card = (tone: string, text: string, more: object = {}): object => ({
    title: `Product card: kettle 4182, ${tone} tone`,
    tone,
    sampling: { temperature: tone === 'warm' ? 0.7 : 0.2, top_p: 0.9 },
    seed: 902,
    model: 'card-writer-2.3',
    text,
    attributes: {
      boil_s: tone === 'warm' ? 240 : 220,
      litres: 1.2,
      tags: tone === 'warm' ? ['matte', 'cosy'] : ['matte'],
    },
    ...more,
  });
  await submitJob(page, {
    endpoint: 'echo',
    input: card('warm', warmText),
  });
  await submitJob(page, {
    endpoint: 'echo',
    input: card('plain', plainText, { max_words: 40 }),
  });
  for (const prompt of ['harbour at dusk', 'harbour at noon'])
    await submitJob(page, { endpoint: 'image', input: { prompt, seed: prompt.length, width: 640, height: 360 } });
  const rows = page.getByRole('option', { name: /Completed/ });
  await expect(rows).toHaveCount(4, { timeout: 30_000 });
  await page.getByRole('option', { name: /warm tone/ }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('option', { name: /plain tone/ }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(page.getByRole('region', { name: 'Output' }).getByText('differ').first()).toBeVisible();
  await shoot(page, 'compare');
  await page.getByRole('switch', { name: 'Hide settings' }).click();
  await shoot(page, 'compare-blind');
  await page.getByRole('switch', { name: 'Hide settings' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  for (const name of [/at dusk/, /at noon/, /plain tone/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(
    page
      .getByRole('region', { name: 'Output' })
      .getByText(/differ|equal/)
      .first(),
  ).toBeVisible();
  await shoot(page, 'compare-three');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await comparePairs(page, { warm: card('warm', warmText), plain: card('plain', plainText, { max_words: 40 }) });
}

/** Two batches of 40 rows, some of them judged. */
async function comparePairs(page: Page, { warm, plain }: Record<'warm' | 'plain', object>): Promise<void> {
  const rows = (card: object) => Array.from({ length: 40 }, (_, at) => ({ ...card, seed: 900 + at }));
  await sendBatch(page, 'Product cards, warm', rows(warm));
  await sendBatch(page, 'Product cards, plain', rows(plain));
  await page.getByRole('button', { name: /^Product cards, plain/ }).click();
  await expect(page.getByText('40 completed').first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Product cards, plain/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with a batch…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Product cards, warm/ })
    .waitFor();
  await shoot(page, 'compare-choose-batch');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('toolbar', { name: 'Judge the pair' });
  await expect(bar.getByRole('status')).toHaveText('0 of 40 judged');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  for (const [at, verdict] of ['3', '3', '1', '2', '3'].entries()) {
    await page.keyboard.press(verdict);
    await expect(bar.getByRole('status')).toContainText(`${at + 1} of 40 judged`);
    if (at < 4) await bar.getByRole('button', { name: 'Next pair' }).click();
    if (at < 4)
      await page
        .getByText(`Pair ${at + 2} of 40`)
        .first()
        .waitFor();
    // The bar is away while the pair is read.
    await bar.waitFor();
  }
  await bar.getByRole('textbox').fill('States the time, no adjectives');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Label saved')).toBeHidden({ timeout: 15_000 });
  await shoot(page, 'compare-pairs');
}
