import type { Page } from '@playwright/test';
import { layoutFaults } from '../kit/layout.ts';
import { chooseEndpoint, goTo, openSandbox, searchJobs, sendAndOpen, sendJobs, typeInput } from '../kit/person.ts';
import { playsAll } from '../kit/plays-all.ts';
import { expect, jobPane, shareApp, test, type LaunchedApp } from './fixtures.ts';

/*
 * Every pane at the sizes a window may have: the least, the design's, a large one, and what 200 % zoom leaves of the
 * design's. An ordinary run plays the two extremes. Nothing is cut off, covered or scrolls sideways, and nothing moves for who asked for less motion.
 */

const zoomed = { width: 720, height: 450 } as const;
const largest = { width: 2560, height: 1440 } as const;
const designed = { width: 1440, height: 900 } as const;
const sizes = playsAll ? [{ width: 900, height: 600 }, zoomed, largest, designed] : [zoomed, largest];

/** What is animated in the page, shadow roots of the editors included. */
function animations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    return [document, ...roots]
      .flatMap((root) => root.getAnimations())
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target?.outerHTML ?? '').slice(0, 100) : 'one'));
  });
}

type Check = (what: string, where?: Page, within?: string, at?: readonly Size[]) => Promise<void>;
interface Size {
  width: number;
  height: number;
}

const softly = expect.configure({ soft: true });

const checking =
  (page: Page): Check =>
  async (what, where = page, within, at = sizes) => {
    for (const size of at) {
      await where.setViewportSize(size);
      // Panes follow a new size a frame later.
      await softly
        .poll(() => layoutFaults(where, within), { message: `${what} at ${size.width} × ${size.height}` })
        .toEqual([]);
    }
    await where.setViewportSize(designed);
    expect.soft(await animations(where), `${what} moves`).toEqual([]);
  };

/** Resolves when the window has this width and no edge has moved for some frames: panes follow one after the other. */
function edgesAtRest(where: Page, width: number): Promise<void> {
  return where.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const restFrames = 12;
        let [before, stillFor] = ['', 0];
        const look = (): void => {
          const now = [...document.querySelectorAll('[role="separator"]')]
            .map((edge) => edge.getAttribute('aria-valuenow'))
            .join();
          stillFor = now === before && innerWidth === wanted ? stillFor + 1 : 0;
          before = now;
          if (stillFor < restFrames) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
    width,
  );
}

/** With the edges between panes as far apart and as close as they go in a large window, every size is right as well. */
async function checkEdges(what: string, where: Page, check: Check, count: number): Promise<void> {
  await where.setViewportSize(largest);
  const all = where.getByRole('separator', { name: /^Width of/ });
  await expect(all).toHaveCount(count);
  const edges = await all.all();
  const widths = (): Promise<(string | null)[]> => Promise.all(edges.map((edge) => edge.getAttribute('aria-valuenow')));
  await edgesAtRest(where, largest.width);
  const settled = await widths();
  for (const [key, limit] of [
    ['End', 'aria-valuemax'],
    ['Home', 'aria-valuemin'],
  ] as const) {
    await where.setViewportSize(largest);
    await edgesAtRest(where, largest.width);
    for (const edge of edges) {
      await edge.press(key);
      const at = (): Promise<(string | null)[]> =>
        edge.evaluate((splitter, name) => [splitter.ariaValueNow, splitter.getAttribute(name)], limit);
      await expect.poll(async () => new Set(await at()).size).toBe(1);
    }
    // In the least window there is no room to choose from.
    await check(`${what} after ${key}`, where, undefined, playsAll ? sizes : [largest]);
  }
  await where.setViewportSize(largest);
  await edgesAtRest(where, largest.width);
  for (const edge of edges) await edge.press('Enter');
  await expect.poll(widths).toEqual(settled);
  await where.setViewportSize(designed);
}

// Each test finds what those before it made.
test.describe.configure({ mode: 'serial' });
const shared = shareApp(({ page }) => page.getByRole('button', { name: 'Open the sandbox' }).waitFor());

test('the first screen and an empty list are whole and still at every size', async () => {
  const { page } = shared();
  const check = checking(page);
  await check('onboarding');
  await openSandbox(page);
  await check('empty list');
});

test('jobs of each kind and outcome are whole and still at every size', async () => {
  const { page } = shared();
  await makeJobs(page);
  await checkJob(page, checking(page));
});

test('a selection, a comparison, filters and the notification centre are whole and still at every size', async () => {
  const { page } = shared();
  await checkList(page, checking(page));
});

test('the composer and a batch are whole and still at every size', async () => {
  const { page } = shared();
  await checkComposer(page, checking(page));
});

test('dialogs are whole and still at every size', async () => {
  const { page } = shared();
  await checkDialogs(page, checking(page));
});

test('panes are whole and still at every size', async () => {
  const { page } = shared();
  await checkPanes(page, checking(page));
});

test('windows of a pod, a template and a job are whole and still at every size', async () => {
  const { app, page } = shared();
  await checkWindows(app, page, checking(page));
});

async function makeJobs(page: Page): Promise<void> {
  const error = {
    error_type: 'OutOfMemoryError',
    error_message: 'CUDA out of memory. Tried to allocate 6.42 GiB. GPU 0 has 44.5 GiB in total, 3.18 GiB free.',
    error_traceback: 'Traceback (most recent call last):\n  File "/app/handler.py", line 118, in run\n    decode(mel)',
  };
  await sendJobs(page, [
    { endpoint: 'mock', input: { title: 'board-call.wav, 2:08:44, beam 5', mock_error: error } },
    { endpoint: 'image', input: { prompt: 'Fog over ridges', width: 64, height: 64, count: 3 } },
    { endpoint: 'echo', input: { prompt: 'Extract 34 fields', pages: [1, 2], note: 'x'.repeat(3e3) } },
    { endpoint: 'text', input: { prompt: 'Review of the outage on Tuesday', max_tokens: 120 } },
  ]);
  await expect(page.getByRole('option', { name: /Completed|Failed/ })).toHaveCount(4, { timeout: 30_000 });
  await sendAndOpen(page, {
    endpoint: 'mock',
    input: { title: 'Judge 200 answers against rubric v4', mock_delay: 6e5 },
  });
  await expect(jobPane(page).getByText('In progress').first()).toBeVisible({ timeout: 20_000 });
}

async function checkJob(page: Page, check: Check): Promise<void> {
  await check('running job');
  // In the design's window an id is whole beside the widest word of a running job.
  const id = jobPane(page).getByTitle(/^[0-9a-f]{8}-/);
  await expect(id.locator('span')).toBeVisible();
  await expect.poll(() => id.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.getByRole('option', { name: /^board-call/ }).click();
  await check('failed job');
  await page.getByRole('option', { name: /^Fog over ridges/ }).click();
  await expect(jobPane(page).getByRole('listbox', { name: 'Images' })).toBeVisible();
  await check('images');
  await page.getByRole('option', { name: /^Review of the outage/ }).click();
  await expect(jobPane(page).getByRole('document', { name: 'Output text' })).toBeVisible();
  await check('text');
  await checkEdges('text', page, check, 2);
  await page.setViewportSize(largest);
  // A wide window gives its room to the list and to the text.
  const list = page.getByRole('region', { name: 'Jobs' });
  await expect.poll(async () => (await list.boundingBox())?.width).toBe(1_154);
  await page.setViewportSize(designed);
  for (const view of ['Chunks', 'JSON']) {
    await jobPane(page).getByRole('radio', { name: view }).click();
    await check(`${view} of an output`);
  }
  await page.getByRole('option', { name: /^Extract 34/ }).click();
  for (const tab of ['Input', 'Metrics', 'Requests', 'Note', 'Output']) {
    await jobPane(page).getByRole('tab', { name: tab }).click();
    await check(`${tab} of a job`);
  }
}

async function checkList(page: Page, check: Check): Promise<void> {
  for (const name of [/^board-call/, /^Fog over ridges/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await check('bulk bar');
  // Where there is no room for a word beside a glyph, the pointer shows it with its key.
  await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Tag' }).hover();
  await expect(page.locator('[data-open]', { hasText: /^Tag/ }).locator('kbd')).toHaveText('T');
  await page.keyboard.press('c');
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeVisible();
  await check('comparison');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await searchJobs(page, 'status:failed endpoint:Text after:yesterday heliotrope');
  await page.getByRole('combobox', { name: 'Search jobs' }).press('Enter');
  await expect(page.getByText(/^Nothing matches/).first()).toBeVisible();
  await check('filters');
  // No single part of the filter is to blame, so all of it can be cleared beside the list of its parts as well.
  const clear = page.getByRole('button', { name: 'Clear filter' });
  await expect(clear).toHaveCount(2);
  await clear.last().click();
  await expect(page.getByRole('option')).not.toHaveCount(0);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('complementary', { name: 'Notifications' })).toBeVisible();
  await check('notification centre', page, '[role="complementary"], aside[aria-label="Notifications"]');
  await page.keyboard.press('Escape');
}

async function checkComposer(page: Page, check: Check): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await typeInput(page, '{"prompt": "{{tone}} words", "seed": ture}');
  await sheet.getByRole('radio', { name: 'runsync' }).click();
  await check('composer');
  await page.setViewportSize(largest);
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBeGreaterThan(1_600);
  await checkEdges('composer', page, check, 2);
  await page.setViewportSize(designed);
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await chooseEndpoint(page, 'Echo');
  await sheet.getByRole('textbox', { name: 'Inputs' }).fill('{"title": "row one"}\n{"title": 2\n["no object"]');
  await check('many inputs');
  await checkEdges('many inputs', page, check, 2);
  await sheet.getByRole('textbox', { name: 'Inputs' }).fill('{"title": "row one"}\n{"title": "row two"}');
  await sheet.getByRole('button', { name: 'Submit 2 jobs' }).click();
  const strip = page.getByRole('region', { name: 'Batch' });
  await expect(strip.getByText('2 rows, finished')).toBeVisible({ timeout: 20_000 });
  await check('batch');
  await strip.getByRole('button', { name: 'Back to all jobs' }).click();
}

async function checkDialogs(page: Page, check: Check): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('re');
  await check('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await check('shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+,');
  const pages = page.getByRole('dialog', { name: 'Settings' }).getByRole('navigation');
  for (const entry of ['Preferences', 'Notifications', 'Network', 'Storage', 'About', 'Add connection', 'Sandbox']) {
    await pages.getByRole('button', { name: entry }).click();
    await check(`settings, ${entry}`);
  }
  await page.keyboard.press('Escape');
}

async function checkPanes(page: Page, check: Check): Promise<void> {
  await goTo(page, 'e');
  await expect(page.getByRole('region', { name: 'Causes', exact: true })).toBeVisible();
  await check('failures');
  await checkEdges('failures', page, check, 2);
  await goTo(page, 'h');
  await expect(page.getByText('Workers running').first()).toBeVisible({ timeout: 20_000 });
  await check('health of all endpoints');
  await page.getByRole('navigation').getByRole('button', { name: 'Mock', exact: true }).click();
  await goTo(page, 'h');
  await expect(page.getByRole('heading', { name: 'Purge queue' })).toBeVisible({ timeout: 20_000 });
  await check('health of an endpoint');
  await checkEdges('health of an endpoint', page, check, 2);
  await goTo(page, 'b');
  await expect(page.getByRole('region', { name: 'Sandbox', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add fault' }).click();
  await check('sandbox');
  await checkEdges('sandbox', page, check, 2);
}

async function checkWindows(app: LaunchedApp, page: Page, check: Check): Promise<void> {
  await goTo(page, 'p');
  await page.getByRole('button', { name: 'Pods of the sandbox' }).click();
  await page.getByRole('menuitem').first().click();
  const pod = await app.waitForWindow(/\/pod\//);
  await expect(pod.getByRole('region', { name: 'Compute' })).toBeVisible({ timeout: 20_000 });
  await check('pod window', pod);
  await checkEdges('pod window', pod, check, 2);
  await check('pods');
  await goTo(page, 't');
  await page.getByRole('button', { name: 'Templates of the sandbox' }).click();
  await page.getByRole('menuitem').first().click();
  const template = await app.waitForWindow(/\/template\//);
  await template.setViewportSize(designed);
  await expect(template.getByRole('group', { name: 'Image', exact: true })).toBeVisible();
  await template.getByRole('group', { name: 'Image', exact: true }).getByRole('textbox').fill('atlas/serve:2.31.4');
  await expect(template.getByRole('complementary', { name: 'Review' })).toContainText('1 field changed');
  await check('template window, edited', template);
  await checkEdges('template window', template, check, 2);
  await template.setViewportSize({ width: 900, height: 600 });
  await template.getByRole('radio', { name: /^Review/ }).click();
  for (const size of sizes.filter(({ width }) => width <= 900)) {
    await template.setViewportSize(size);
    await softly
      .poll(() => layoutFaults(template), { message: `review at ${size.width} × ${size.height}` })
      .toEqual([]);
  }
  // What is asked before saving leaves the larger part to what will change.
  const shareOfSaving = async (): Promise<number> => {
    const [saving, review] = await Promise.all([
      template.getByRole('region', { name: 'Saving' }).boundingBox(),
      template.getByRole('complementary', { name: 'Review' }).boundingBox(),
    ]);
    return (saving?.height ?? Number.NaN) / (review?.height ?? Number.NaN);
  };
  await expect.poll(shareOfSaving).toBeLessThan(0.5);
  await check('templates');
  await goTo(page, 'a');
  await page.getByRole('option', { name: /^Review of the outage/ }).click();
  await page.keyboard.press('Shift+Enter');
  const job = await app.waitForWindow(/\/job\//);
  // The output may begin with a heading too.
  await expect(job.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await check('job window', job);
  await checkEdges('job window', job, check, 1);
}
