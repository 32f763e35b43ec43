import type { Page } from '@playwright/test';
import { encodePng } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { sendAndOpen, submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** The previews of an image as it comes out of the noise, and JSON as a tree and as a table. */
export async function outputs({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, { endpoint: 'echo', input: { title: 'Product cards, spring', products } });
  await jobPane(page)
    .getByRole('tree', { name: 'Output JSON' })
    .getByRole('treeitem', { name: /products/ })
    .waitFor({ timeout: 20_000 });
  await json(page);
  await sendAndOpen(page, {
    endpoint: 'mock',
    input: {
      title: 'Harbour at dusk, 40 steps',
      mock_delay: 400,
      mock_stream: Array.from({ length: 40 }, (_, at) => preview(at + 1)),
    },
  });
  await jobPane(page).getByRole('option', { name: 'Image 12', exact: true }).waitFor({ timeout: 30_000 });
  await shoot(page, 'film-live');
  await jobPane(page).getByRole('listbox', { name: 'Images' }).getByRole('option').first().click();
  await shoot(page, 'film-earlier');
  await jobPane(page).getByText('Completed').first().waitFor({ timeout: 60_000 });
  await shoot(page, 'film-completed');
}

async function json(page: Page): Promise<void> {
  const pane = jobPane(page);
  await shoot(page, 'json-tree');
  await page.keyboard.press('ControlOrMeta+f');
  await pane.getByRole('textbox', { name: 'Find in the JSON' }).fill('kettle');
  await pane
    .getByRole('search')
    .getByText(/of 100$/)
    .waitFor();
  await shoot(page, 'json-find');
  await page.keyboard.press('Escape');
  await pane.getByRole('radio', { name: 'Table' }).click();
  const price = pane.getByRole('grid', { name: 'Table' }).getByRole('columnheader', { name: /price/ });
  await price.waitFor();
  await shoot(page, 'json-table');
  await price.getByRole('button', { name: 'Menu of price' }).press('Enter');
  await shoot(page, 'json-table-menu');
  await page.keyboard.press('Escape');
}

const products = Array.from({ length: 300 }, (_, at) => ({
  sku: `KT-${at}`,
  title: at % 3 === 0 ? 'Matte ceramic kettle' : `Stoneware vase, number ${at}`,
  price: ((at * 7_919) % 9_000) / 100,
  colour: ['sage', 'sand', 'black'][at % 3],
  variants: [{ colour: 'sand', ean: String(4_006_381_333_931 + at) }],
  text: 'A sturdy piece for every table, made by hand in small numbers and fired twice. '.repeat(4),
  sheet: `https://example.com/sheets/KT-${at}`,
}));

/** A preview of 256 by 192 pixels: dusk over water, less noisy with each step. */
function preview(step: number): { step: number; image: string } {
  const width = 256;
  const height = 192;
  const pixels = new Uint8Array(width * height * 3);
  const noise = Math.max(0, 1 - step / 36);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const grain = (((x * 374_761 + y * 668_265 + step * 97) % 255) - 127) * noise;
      const isWater = y > 120 && (x + y * 3) % 23 > 6;
      const from = (y * width + x) * 3;
      pixels[from] = Math.max(0, Math.min(255, (isWater ? 40 : 230 - y) + grain));
      pixels[from + 1] = Math.max(0, Math.min(255, (isWater ? 70 : 150 - y / 2) + grain));
      pixels[from + 2] = Math.max(0, Math.min(255, (isWater ? 100 : 90 + y / 2) + grain));
    }
  return { step, image: `data:image/png;base64,${encodePng(width, height, pixels).toString('base64')}` };
}
