import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { holdTimers } from './held-timers.ts';
import type { LaunchedApp } from './launch.ts';

/** A person's actions in the window: elements are found by role and name, clicked and typed into. */

/** First run: opens the built-in sandbox and waits for the main window's list. */
export async function openSandbox(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await untilListed(page);
}

/** Waits until the main window shows its first list: a job that is in it already would be opened beside it. */
export async function untilListed(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'New job' }).first()).toBeVisible({ timeout: 20_000 });
  // The rows to come are not drawn at once.
  await expect(page.getByRole('main').getByLabel('Loading')).toHaveCount(0);
}

/**
 * Clicks what ends the app or closes its own window. The page is often gone before Playwright has its answer to the
 * click; that is no failure. Any other failure is.
 */
export async function clickToEnd(target: Locator): Promise<void> {
  try {
    await target.click();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('has been closed'))) throw error;
  }
}

/** Closes the main window: by its button, or on macOS by the system's, which is not part of the page. */
export async function closeWindow(app: Pick<LaunchedApp, 'ask' | 'windowStates'>, page: Page): Promise<void> {
  if (process.platform === 'darwin') await app.ask('closeWindow', (await app.windowStates())[0]?.id ?? -1);
  else await clickToEnd(page.getByRole('button', { name: 'Close', exact: true }));
}

/** Opens the built-in sandbox when no connection is left. */
export async function openSandboxFromMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connection: No connection' }).click();
  await page.getByRole('menuitem', { name: 'Open the sandbox' }).click();
  await expect(page.getByRole('button', { name: /^Connection: Sandbox/ })).toBeVisible({ timeout: 20_000 });
  await untilListed(page);
}

/** Goes to a place by G and its key. They belong together however long a slow machine takes between them. */
export async function goTo(page: Page, key: string): Promise<void> {
  await holdTimers(page, keySequenceMs);
  await page.keyboard.press('g');
  await page.keyboard.press(key);
}
/** How long the app waits for a key after G. */
const keySequenceMs = 1_200;

/** Waits until nothing more is to come: each job has ended and is saved, so that rows stay where they are. */
export async function untilIdle(page: Page): Promise<void> {
  const live = (): Promise<number | undefined> =>
    page.evaluate(async () => {
      const state = await window.bridge?.call('tracker:state', undefined);
      return state?.ok === true ? state.value.tracked + state.value.waitingToSend : undefined;
    });
  await expect.poll(live, { timeout: 60_000 }).toBe(0);
  await expect(page.getByRole('option', { name: /stream still being fetched/ })).toHaveCount(0, { timeout: 60_000 });
}

/** Opens the preferences by key; the dialog that they are in. */
export async function openPreferences(page: Page): Promise<Locator> {
  await page.keyboard.press('ControlOrMeta+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog).toBeVisible();
  return dialog;
}

interface JobToSend {
  /** The endpoint's name in the composer, which in the sandbox is its id. */
  endpoint: string;
  /** Typed as JSON. A string is typed unchanged. */
  input: unknown;
  operation?: 'run' | 'runsync';
}

interface JobToSubmit extends JobToSend {
  /** Called when everything is typed, before it is sent. */
  beforeSubmit?: () => Promise<void>;
}

/** Opens the composer, chooses the endpoint, types the input and submits it. */
export async function submitJob(page: Page, job: JobToSubmit): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await expect(sheet).toBeVisible();
  await chooseEndpoint(page, job.endpoint);
  if (job.operation === 'runsync') await sheet.getByRole('radio', { name: 'runsync' }).click();
  await typeInput(page, typeof job.input === 'string' ? job.input : JSON.stringify(job.input, null, 2));
  await job.beforeSubmit?.();
  await sheet.getByRole('button', { name: 'Submit job' }).click();
  await expect(sheet).toBeHidden();
}

/**
 * Submits jobs as other windows of the app do, without the composer, which costs a second for each. For jobs that a
 * spec only needs to be there; no job is opened. Errors: throws if one is not accepted.
 */
export async function sendJobs(page: Page, jobs: readonly JobToSend[]): Promise<void> {
  const drafts = jobs.map(({ endpoint, input, operation = 'run' }) => ({
    endpointId: endpoint,
    operation,
    inputText: typeof input === 'string' ? input : JSON.stringify(input, null, 2),
  }));
  await page.evaluate(async (toSend) => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
    for (const draft of toSend) {
      const sent = await window.bridge?.call('job:submit', { connectionId, ...draft });
      if (sent?.ok !== true) throw new Error(`The job was not submitted to ${draft.endpointId}.`);
    }
  }, drafts);
}

/** Submits a batch as another window does. Errors: throws if it is refused. */
export async function sendBatch(page: Page, name: string, rows: readonly object[], endpointId = 'echo'): Promise<void> {
  const inputs = rows.map((row) => JSON.stringify(row));
  await page.evaluate(
    async ({ endpointId: endpoint, ...batch }) => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
      const draft = { connectionId, endpointId: endpoint, operation: 'run' as const };
      const sent = await window.bridge?.call('batch:submit', { ...batch, draft });
      if (sent?.ok !== true || sent.value.kind !== 'accepted') throw new Error('The batch was refused.');
    },
    { name, inputs, endpointId },
  );
}

/** Sends a job as `sendJobs` does and opens it by its row. Its input must have a title of its own. */
export async function sendAndOpen(
  page: Page,
  job: JobToSend & { input: { title: string; [field: string]: unknown } },
): Promise<void> {
  const { title } = job.input;
  await sendJobs(page, [job]);
  await page.getByRole('option', { name: `${title},` }).click();
  const pane = page.getByRole('region', { name: 'Job', exact: true });
  await expect(pane.getByRole('heading', { name: title })).toBeVisible();
}

/** Submits jobs one after the other, and ends as a person does who submitted them: with the last one open. */
export async function submitJobs(page: Page, jobs: readonly JobToSend[]): Promise<void> {
  await sendJobs(page, jobs.slice(0, -1));
  const last = jobs.at(-1);
  if (last !== undefined) await submitJob(page, last);
}

/** Chooses an endpoint in the open composer. */
export async function chooseEndpoint(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'New job' });
  const picker = sheet.getByRole('combobox', { name: /^Endpoint/ });
  if ((await picker.getAttribute('aria-label')) === `Endpoint: ${name}`) return;
  await picker.click();
  await page.getByRole('option', { name }).click();
  await expect(sheet.getByRole('combobox', { name: `Endpoint: ${name}` })).toBeVisible();
}

/** Replaces the text in the composer's editor by `text`, like a paste. */
export async function typeInput(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('dialog', { name: 'New job' }).getByRole('textbox', { name: 'Input JSON' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Types into the list's search box. */
export async function searchJobs(page: Page, text: string): Promise<void> {
  const box = page
    .getByRole('combobox', { name: 'Search jobs' })
    .or(page.getByRole('searchbox', { name: 'Search jobs' }))
    .or(page.getByRole('textbox', { name: 'Search jobs' }));
  await box.first().fill(text);
}

/**
 * Finds a saved job by a word and returns its row. First it searches a word that no job contains, so that the row is
 * known to be a result of the search and not a leftover of the list.
 */
export async function findJob(page: Page, word: string): Promise<Locator> {
  await searchJobs(page, 'nowhere-in-any-job');
  await expect(page.getByText('Nothing matches').first()).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(0);
  await searchJobs(page, word);
  const row = page.getByRole('option').first();
  await expect(row).toBeVisible();
  return row;
}

/** A long word of an output that is not in its title: it is only found if the output itself was indexed. */
export function wordOnlyIn(output: string, title: string): string {
  const words = output.toLowerCase().match(/[a-z]{7,}/g) ?? [];
  const [longest] = words
    .filter((word) => !title.toLowerCase().includes(word))
    .toSorted((one, other) => other.length - one.length);
  if (longest === undefined) throw new Error('The output has no word of its own to search for.');
  return longest;
}

/** Opens the first pod that the sandbox names in the page of pods. Returns its window, which has been read. */
export async function openPodOfSandbox(app: LaunchedApp, page: Page): Promise<Page> {
  const pod = await openOfSandbox(app, page, { key: 'p', menu: 'Pods of the sandbox', route: /\/pod\// });
  await expect(pod.getByRole('region', { name: 'Compute' })).toBeVisible({ timeout: 20_000 });
  return pod;
}

/** Opens the first template that the sandbox names in the page of templates. Returns its window. */
export async function openTemplateOfSandbox(app: LaunchedApp, page: Page): Promise<Page> {
  const template = await openOfSandbox(app, page, {
    key: 't',
    menu: 'Templates of the sandbox',
    route: /\/template\//,
  });
  await expect(template.getByText('Nothing known about this template')).toBeVisible({ timeout: 20_000 });
  return template;
}

/** Goes to a page by `g` and a key, and takes the first item of its menu. Returns the window that opens. */
async function openOfSandbox(
  app: LaunchedApp,
  page: Page,
  { key, menu, route }: { key: string; menu: string; route: RegExp },
): Promise<Page> {
  await goTo(page, key);
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem').first().click();
  return await app.waitForWindow(route);
}

/** The toast with a text. There may be several, and each has buttons of its own. */
export function toastOf(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').locator('> div').filter({ hasText: text });
}
