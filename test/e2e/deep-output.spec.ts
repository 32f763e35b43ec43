import type { Page } from '@playwright/test';
import { connectTo, expect, jobPane, openJobIn, test } from './fixtures.ts';
import { findJob, searchJobs, sendJobs, submitJob } from '../kit/person.ts';
import { createScriptedService } from '../integration/job/scripted-service.ts';

const lists = (levels: number, inside: string): string => `${'['.repeat(levels)}"${inside}"${']'.repeat(levels)}`;
const objects = (levels: number, inside: string): string =>
  `${'{"inner":'.repeat(levels)}"${inside}"${'}'.repeat(levels)}`;
/** By the order they are submitted in. */
const outputs = [
  { title: 'five thousand lists', output: lists(5_000, 'heliograph') },
  { title: 'thirty thousand objects', output: objects(30_000, 'lighthouse') },
  { title: 'a hundred thousand lists', output: lists(100_000, 'barometer') },
];
const chunk = lists(20_000, 'semaphore');

/** Counts the trees that are drawn from now on. Resolves with a function that reads the count. */
async function countTrees(page: Page): Promise<() => Promise<number>> {
  const counted = await page.evaluateHandle(() => {
    const before = new Set(document.querySelectorAll('[role=tree]'));
    const drawn = new Set<Element>();
    new MutationObserver(() => {
      for (const tree of document.querySelectorAll('[role=tree]')) if (!before.has(tree)) drawn.add(tree);
    }).observe(document, { subtree: true, childList: true });
    return drawn;
  });
  return () => counted.evaluate((drawn) => drawn.size);
}

test('outputs nested deeper than any call stack are shown as a tree and found by a word in them', async ({
  launch,
}) => {
  let taken = 0;
  let isStreamed = false;
  const reply = { id: '', status: 'COMPLETED', delayTime: 1, executionTime: 1 };
  const service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
    status: [
      ({ path }) => {
        const at = Number(/job-(\d+)/.exec(path)?.[1] ?? 1);
        const known = outputs[at - 1];
        return {
          body:
            known === undefined
              ? { ...reply, id: `job-${at}` }
              : `{"id":"job-${at}","status":"COMPLETED","output":${known.output},"odd":${lists(10_000, 'more')}}`,
        };
      },
    ],
    // The last job streamed.
    stream: [
      ({ path }) => {
        if (isStreamed || !path.includes(`job-${outputs.length + 1}`)) return { body: [] };
        isStreamed = true;
        return { body: `[{"output":${chunk},"metrics":{"odd":${chunk},"running":1}}]` };
      },
    ],
    health: [
      {
        body: {
          jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
          workers: { idle: 1, running: 0 },
        },
      },
    ],
  });
  const { page } = await launch();
  const crashes: string[] = [];
  page.on('pageerror', (error) => crashes.push(String(error)));
  await connectTo(page, { baseUrl: service.url, restUrl: service.url, endpoints: ['ep'] });
  // One after the other: the service answers by the order they arrive in.
  for (const { title } of outputs) {
    await sendJobs(page, [{ endpoint: 'ep', input: { title } }]);
    const row = page.getByRole('option', { name: new RegExp(title) });
    await expect(row).toHaveAccessibleName(/Completed/, { timeout: 30_000 });
  }
  await submitJob(page, { endpoint: 'ep', input: { title: 'a deep stream' } });
  await openJobIn(page, 'a deep stream', 'Completed');

  for (const { title } of outputs) {
    const word = { 'five thousand lists': 'heliograph', 'thirty thousand objects': 'lighthouse' }[title] ?? 'barometer';
    const row = await findJob(page, word);
    await expect(page.getByRole('option')).toHaveCount(1);
    const countDrawn = await countTrees(page);
    await row.click();
    const pane = jobPane(page);
    await expect(pane.getByRole('heading', { name: title })).toBeVisible();
    // The one word is found however deep it is, and shown within the pane.
    const tree = pane.getByRole('tree', { name: 'Output JSON' });
    await expect(tree).toBeVisible();
    await page.keyboard.press('ControlOrMeta+f');
    await pane.getByRole('textbox', { name: 'Find in the JSON' }).fill(word);
    await expect(pane.getByRole('search').getByRole('status')).toHaveText('1 of 1');
    await expect(tree.getByText(word)).toBeInViewport();
    // What the list knows opens the pane; what is read then of the attempts does not draw the output again.
    expect(await countDrawn()).toBe(1);
    await page.keyboard.press('Escape');
    await pane.getByRole('tab', { name: 'Metrics' }).click();
    await expect(pane.getByRole('document', { name: 'Metrics' }).getByText('odd')).toBeVisible();
    await pane.getByRole('tab', { name: 'Output' }).click();
  }
  await searchJobs(page, 'semaphore');
  await page.getByRole('option', { name: /a deep stream/ }).click();
  const pane = jobPane(page);
  await pane.getByRole('radio', { name: 'Chunks' }).click();
  await pane.getByRole('list', { name: 'Chunks' }).getByRole('button').first().click();
  await expect(pane.getByRole('region', { name: 'Chunk 0' }).getByText('semaphore').first()).toBeAttached();
  await expect(pane.getByText('Nested too deeply to format; shown as received.').first()).toBeVisible();
  await pane.getByRole('radio', { name: 'JSON' }).click();
  await expect(pane.getByRole('tree', { name: 'Output JSON' })).toBeVisible();
  expect(crashes).toEqual([]);
  await service.close();
});
