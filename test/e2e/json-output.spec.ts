import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';
import { faults } from '../kit/axe.ts';
import { submitJob } from '../kit/person.ts';
import { createScriptedService, type ScriptedService } from '../integration/job/scripted-service.ts';

const colours = ['sage', 'sand', 'black'];
const products = Array.from({ length: 3_000 }, (_, at) => ({
  sku: `KT-${at}`,
  title: at === 1_204 ? 'Matte ceramic kettle' : `Stoneware vase, number ${at}`,
  price: ((at * 7_919) % 3_000) / 100,
  colour: colours[at % 3],
  variants: [{ colour: colours[(at + 1) % 3], ean: String(4_006_381_333_931 + at) }],
  text: 'A sturdy piece for every table, made by hand in small numbers and fired twice. '.repeat(6),
  sheet: `https://example.com/sheets/KT-${at}`,
}));
const workerId = 'uhbbfre73gqjwh';
const output = {
  model: 'card-writer-2.31',
  usage: { tokens: 12_345 },
  products,
  manual: 'https://example.com/manual',
  original: 's3://catalogue/original.parquet',
  embedding: Array.from({ length: 384 }, (_, at) => (at % 2 === 0 ? 0.5 : -0.25)),
};

/** Saves a file as a person does: `press` asks for it, and the dialog gets a place for it. */
async function savedFile(
  app: LaunchedApp,
  folder: string,
  press: () => Promise<void>,
): Promise<{ name: string; text: string }> {
  const before = (await app.dialogs()).length;
  const filePath = join(folder, `saved-${before}`);
  await app.answerDialog({ canceled: false, filePath });
  await press();
  await expect.poll(() => existsSync(filePath)).toBe(true);
  const asked = (await app.dialogs())[before]?.options;
  const wanted: unknown = typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'defaultPath') : undefined;
  return { name: basename(String(wanted)), text: await readFile(filePath, 'utf8') };
}

let service: ScriptedService | undefined;
const shared = shareApp(async ({ page }) => {
  await service?.close();
  service = await createScriptedService({
    run: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
    status: [{ body: { id: 'job-1', status: 'COMPLETED', delayTime: 1, executionTime: 1, workerId, output } }],
    stream: [{ body: [] }],
    health: [
      {
        body: {
          jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
          workers: { idle: 1, running: 0 },
        },
      },
    ],
  });
  await connectTo(page, { baseUrl: service.url, restUrl: service.url, endpoints: ['ep'] });
  await submitJob(page, { endpoint: 'ep', input: { title: 'Catalogue' } });
  await expect(partsOf(page).tree.getByRole('treeitem', { name: /products/ })).toContainText('3,000 objects', {
    timeout: 30_000,
  });
});
test.afterAll(() => service?.close());

/** What the tests use of the job's pane and of what lies over it. */
function partsOf(page: Page) {
  const pane = jobPane(page);
  const table = pane.getByRole('grid', { name: 'Table' });
  return {
    pane,
    tree: pane.getByRole('tree', { name: 'Output JSON' }),
    table,
    price: table.getByRole('columnheader', { name: /price/ }),
    field: pane.getByRole('textbox', { name: 'Find in the JSON' }),
    status: pane.getByRole('search').getByRole('status'),
    question: page.getByRole('dialog', { name: 'Open this address in the browser?' }),
  };
}

async function show(page: Page, view: 'Tree' | 'Table' | 'Raw'): Promise<void> {
  await jobPane(page).getByRole('radio', { name: view }).click();
}

test('a large JSON output is a tree to copy from, and its addresses are opened after a question', async () => {
  const { app, page } = shared();
  const { tree, question } = partsOf(page);
  // The first levels, and three groups of a thousand.
  await expect(tree.getByRole('treeitem')).toHaveCount(11);

  // An embedding is one line; an address is opened after a question, by a press or by Enter.
  const embedding = tree.getByRole('treeitem', { name: /embedding/ });
  await expect(embedding).toContainText('384 numbersmin −0.25, max 0.5, norm 7.75');
  await embedding.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => app.clipboard()).toMatch(/^\[0\.5,-0\.25,/);
  await tree
    .getByRole('treeitem', { name: /manual/ })
    .getByRole('button', { name: 'Open' })
    .click();
  await expect(question).toContainText('https://example.com/manual');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await tree.getByRole('treeitem', { name: /original/ }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Copy this address?' }).getByRole('button', { name: 'Copy address' }).click();
  await expect.poll(() => app.clipboard()).toBe('s3://catalogue/original.parquet');

  await tree.getByRole('treeitem', { name: /usage/ }).click();
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByText('tokens')).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByText('tokens')).toBeVisible();
});

test('a large tree is searched by values and keys, and saved whole', async () => {
  const { app, page, dataDir } = shared();
  const { pane, tree, field, status } = partsOf(page);
  await page.keyboard.press('ControlOrMeta+f');
  await field.fill('KETTLE');
  await expect(status).toHaveText('1 of 1');
  await expect(tree.locator('mark[aria-current]')).toBeInViewport();
  await page.keyboard.press('ControlOrMeta+Shift+p');
  await expect(page.getByText('Path copied')).toBeVisible();
  await expect.poll(() => app.clipboard()).toBe('$.products[1204].title');
  await pane.getByRole('button', { name: 'Copy value' }).click();
  await expect(page.getByText('Value copied')).toBeVisible();
  await expect.poll(() => app.clipboard()).toBe('Matte ceramic kettle');
  await field.fill('ean');
  await pane.getByRole('radio', { name: 'Keys' }).click();
  await expect(status).toHaveText(/of 3,000$/);
  expect(await faults(app, page)).toEqual([]);
  await page.keyboard.press('F3');
  await field.press('Escape');
  await expect(tree).toBeFocused();

  // One toolbar, with one copy of the whole; what copies a value alone is below the values.
  const topOf = async (part: Locator): Promise<number> => {
    const box = await part.boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  const places = async () => {
    const toolbarPx = await topOf(pane.getByRole('button', { name: 'Copy output' }));
    const viewsPx = await topOf(pane.getByRole('radio', { name: 'Tree' }));
    const copyValuePx = await topOf(pane.getByRole('button', { name: 'Copy value' }));
    const { y, height } = (await tree.boundingBox()) ?? { y: Number.NaN, height: 0 };
    return {
      areInOneLine: Math.abs(viewsPx - toolbarPx) < 2,
      isTreeBelow: y < toolbarPx + 24,
      isCopyValueLast: copyValuePx > y + height,
    };
  };
  await expect.poll(places).toEqual({ areInOneLine: true, isTreeBelow: true, isCopyValueLast: true });

  const file = await savedFile(app, dataDir, () => page.keyboard.press('ControlOrMeta+s'));
  expect(file.name).toBe('output-job-1.json');
  expect(JSON.parse(file.text)).toEqual(output);
});

test('a list of objects is a table, sorted, saved and searched', async () => {
  const { app, page, dataDir } = shared();
  const { pane, table, price, field, status } = partsOf(page);
  await show(page, 'Table');
  await expect(price).toContainText('0 to 29.99');
  await expect(table.getByRole('columnheader', { name: /colour/ })).toContainText('3 distinct');
  await price.getByRole('button', { name: 'price', exact: true }).click();
  await expect(price).toHaveAttribute('aria-sort', 'ascending');
  await price.getByRole('button', { name: 'Menu of price' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Descending' }).click();
  await expect(price).toHaveAttribute('aria-sort', 'descending');
  const dearest = products.findIndex((product) => product.price === 29.99);
  await expect(table.getByRole('row').nth(1).getByRole('gridcell').first()).toHaveText(`KT-${dearest}`);
  const { name, text } = await savedFile(app, dataDir, () => pane.getByRole('button', { name: 'Save as CSV' }).click());
  expect(name).toBe('products.csv');
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(products.length + 2);
  expect(lines[0]).toBe('sku,title,price,colour,variants,text,sheet');
  expect(lines[1]).toContain(`KT-${dearest},`);

  // Finding keeps the table: it goes to the cell, wherever that stands in the order.
  await page.keyboard.press('ControlOrMeta+f');
  await field.fill('kettle');
  await expect(status).toHaveText('1 of 1');
  await expect(table.getByRole('gridcell', { selected: true })).toHaveText('Matte ceramic kettle');
  await expect(table.locator('mark[aria-current]')).toBeInViewport();
  expect(await faults(app, page)).toEqual([]);
  await field.press('Escape');
});

test('columns are left out of what is shown and saved, and their widths are remembered', async () => {
  const { app, page, dataDir } = shared();
  const { pane, table } = partsOf(page);
  await show(page, 'Table');
  // A column is left out of what is shown and saved, and made wider by its edge.
  await pane.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'text' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'sheet' }).click();
  expect(await faults(app, page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(table.getByRole('columnheader', { name: /^text/ })).toHaveCount(0);
  await table.getByRole('columnheader', { name: /^variants/ }).hover();
  await table.getByRole('button', { name: 'Menu of variants' }).click();
  expect(await faults(app, page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect(pane.getByText('3,000 objects, 4 of 7 columns')).toBeVisible();
  const narrowed = await savedFile(app, dataDir, () => pane.getByRole('button', { name: 'Save as CSV' }).click());
  expect(narrowed.text.split('\r\n')[0]).toBe('sku,title,price,colour');
  const edge = table.getByRole('separator', { name: 'Width of title' });
  const title = table.getByRole('columnheader', { name: /^title/ });
  const before = (await title.boundingBox())?.width ?? 0;
  await edge.press('ArrowRight');
  await expect.poll(async () => (await title.boundingBox())?.width).toBe(before + 16);
  // The width is remembered for the endpoint, also when it is shown again.
  await pane.getByRole('radio', { name: 'Tree' }).click();
  await pane.getByRole('radio', { name: 'Table' }).click();
  await expect.poll(async () => (await title.boundingBox())?.width).toBe(before + 16);
  await edge.press('ArrowLeft');
  await expect.poll(async () => (await title.boundingBox())?.width).toBe(before);
  // Nothing of the drawn cells is cut off at the usual width, nor when it fits again.
  const isCut = () =>
    table
      .getByText(/^Stoneware vase/)
      .evaluateAll((texts) =>
        texts.some(
          ({ parentElement }) => parentElement !== null && parentElement.scrollWidth > parentElement.clientWidth,
        ),
      );
  await expect.poll(isCut).toBe(false);
  for (let step = 1; step <= 3; step += 1) await edge.press('ArrowLeft');
  await expect.poll(isCut).toBe(true);
  await edge.press('Enter');
  await expect.poll(isCut).toBe(false);
});

test('an address in a cell is opened after a question, by its button, by Enter and by the menu', async () => {
  const { app, page } = shared();
  const { table, question } = partsOf(page);
  await show(page, 'Table');
  const sheet = table.getByRole('gridcell', { name: products[0]?.sheet ?? '' });
  await table.getByRole('button', { name: 'price', exact: true }).click();
  await sheet.getByRole('button', { name: 'Open address' }).click();
  await expect(question).toContainText('https://example.com/sheets/KT-0');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await table.focus();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await sheet.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open address' }).click();
  await question.getByRole('button', { name: 'Open in browser' }).click();
  await expect.poll(() => app.openedExternally()).toEqual(['https://example.com/sheets/KT-0']);
});

test('the text is shown as it came, and a row of the table leads to its place in the tree', async () => {
  const { app, page } = shared();
  const { pane, tree, table, price } = partsOf(page);
  await show(page, 'Raw');
  await expect(pane.getByText('{"model":"card-writer-2.31"')).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
  await show(page, 'Table');
  await price.getByRole('button', { name: 'price', exact: true }).click();
  await table.getByRole('row').nth(1).getByRole('gridcell').nth(1).click();
  await table.focus();
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('Stoneware vase');
});

test('what a JSONPath finds is a table, with the places and paths of the whole', async () => {
  const { app, page, dataDir } = shared();
  const { pane, tree, table } = partsOf(page);
  await show(page, 'Tree');
  await pane.getByRole('button', { name: 'Filter by JSONPath' }).click();
  const filter = pane.getByRole('search', { name: 'Filter the JSON' });
  const typed = filter.getByRole('textbox', { name: 'JSONPath filter' });
  await typed.fill('$.products[?@.price > 29.9');
  await expect(pane.getByRole('alert')).toContainText('Not a JSONPath');
  await expect(typed).toHaveAttribute('aria-invalid', 'true');
  await expect(tree).toBeVisible();
  await typed.fill('products[?@.price > 29.9]');
  await expect(filter.getByRole('status')).toContainText('9 values');
  await expect(pane.getByRole('alert')).toBeHidden();
  await expect(table.getByRole('row')).toHaveCount(10);
  expect(await faults(app, page)).toEqual([]);
  const left = await savedFile(app, dataDir, () => filter.getByRole('button', { name: 'Save what matches' }).click());
  expect(left.name).toBe('filtered.json');
  expect(JSON.parse(left.text)).toEqual(products.filter((product) => product.price > 29.9));
  const kept = products.flatMap((product, at) => (product.price > 29.9 ? [at] : []));
  await expect(table.getByRole('rowheader')).toHaveText(kept.map(String));
  await table
    .getByRole('row')
    .nth(1)
    .getByRole('gridcell', { name: products[kept[0] ?? 0]?.colour ?? '' })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy path', exact: false }).first().click();
  await expect(page.getByText('Path copied').last()).toBeVisible();
  await expect.poll(() => app.clipboard()).toBe(`$.products[${kept[0]}].colour`);
  await table
    .getByRole('row')
    .nth(1)
    .getByRole('gridcell', { name: products[kept[0] ?? 0]?.colour ?? '' })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Only rows with/ }).click();
  await expect(typed).toHaveValue(/&& @\.colour == "/);
  const alike = kept.filter((at) => products[at]?.colour === products[kept[0] ?? 0]?.colour);
  await expect(table.getByRole('rowheader')).toHaveText(alike.map(String));
  await typed.fill('$.nothing');
  await expect(pane.getByText('Nothing in this JSON matches the filter.')).toBeVisible();
  await typed.press('Escape');
  await expect(filter).toBeHidden();
  await expect(tree.getByRole('treeitem', { name: /products/ })).toContainText('3,000 objects');
});

test('metrics are searched, and the worker that ran the job is opened by its id', async () => {
  const { app, page } = shared();
  const { pane, status } = partsOf(page);
  await pane.getByRole('tab', { name: 'Metrics' }).click();
  await page.keyboard.press('ControlOrMeta+f');
  const metrics = pane.getByRole('textbox', { name: 'Find in the metrics' });
  await metrics.fill('TIME');
  await expect(status).toHaveText(/^1 of \d+$/);
  await metrics.press('Enter');
  await expect(status).toHaveText(/^2 of \d+$/);
  expect(await faults(app, page)).toEqual([]);
  await metrics.fill('nowhere');
  await expect(status).toHaveText('No matches');
  await metrics.press('Escape');
  await pane.getByRole('button', { name: workerId }).click();
  await app.waitForWindow(/\/pod\//);
});

test('a log of the service is opened by the connection’s link', async () => {
  const { app, page } = shared();
  const { pane, question } = partsOf(page);
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Production' }).first().click();
  const link = settings.getByLabel('Log link');
  await link.fill('https://{{worker_id}}.example.com/');
  await settings.getByRole('button', { name: 'Save connection' }).click();
  await expect(link).toHaveAttribute('aria-invalid', 'true');
  expect(await faults(app, page, 'settings: connection')).toEqual([]);
  await link.fill('https://logs.example.com/{{job_id}}?worker={{worker_id}}');
  await settings.getByLabel('Console link').fill('https://console.example.com/{{endpoint_id}}');
  await settings.getByRole('button', { name: 'Save connection' }).click();
  await expect(page.getByText('Production saved')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
  await pane.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Open log' }).click();
  await question.getByRole('button', { name: 'Open in browser' }).click();
  await expect
    .poll(async () => (await app.openedExternally()).at(-1))
    .toBe(`https://logs.example.com/job-1?worker=${workerId}`);
  await page.getByRole('button', { name: 'ep', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open endpoint in the console' }).click();
  await expect(question).toContainText('https://console.example.com/ep');
  await question.getByRole('button', { name: 'Cancel' }).click();
});

test('an output and an input open in the editor, and the copies are deleted when Jobdeck quits', async () => {
  const { app, page, dataDir } = shared();
  const { pane } = partsOf(page);
  await pane.getByRole('tab', { name: 'Input' }).click();
  await pane.getByRole('button', { name: 'Open input in your editor' }).click();
  const copyOf = (part: string): unknown =>
    expect.stringMatching(new RegExp(`^${join(dataDir, 'opened', part)}-job-1-\\w+\\.json$`));
  await expect.poll(() => app.openedPaths()).toEqual([copyOf('input')]);
  const [input = ''] = await app.openedPaths();
  expect(JSON.parse(await readFile(input, 'utf8'))).toEqual({ title: 'Catalogue' });
  await pane.getByRole('tab', { name: 'Output' }).click();
  await pane.getByRole('button', { name: 'Open output in your editor' }).click();
  await expect.poll(() => app.openedPaths()).toEqual([input, copyOf('output-1')]);
  const [, path = ''] = await app.openedPaths();
  await expect(page.getByText('Opened a read-only copy.').last()).toBeVisible();
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(output);

  await app.close();
  expect(existsSync(join(dataDir, 'opened'))).toBe(false);
});
