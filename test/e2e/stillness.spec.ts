import type { Locator, Page } from '@playwright/test';
import { chooseEndpoint, goTo, openPodOfSandbox, openTemplateOfSandbox, sendJobs, typeInput } from '../kit/person.ts';
import { during, unjudged, unrest, watchStillness, type WantedResult } from '../kit/stillness.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

/*
 * In a window nothing moves or blinks unless the user does something: what is drawn gets another place once after a
 * press, and none once what was asked for is there. Frames are judged, never times (test/kit/stillness.ts).
 */

const inJob = (pattern: string): WantedResult => ({ selector: 'section[aria-label="Job"]', pattern });
const inList = (pattern: string): WantedResult => ({ selector: 'section[aria-label="Jobs"]', pattern });
const inDialog = (pattern: string): WantedResult => ({ selector: '[role="dialog"]', pattern });
const inRegion = (name: string, pattern: string): WantedResult => ({ selector: `[aria-label="${name}"]`, pattern });

/** Where a job that changes its state brings news, which move what is there. */
const newsOfList = '[aria-label="Jobs"], [aria-label="Batch"]';
const newsOfJob = '[aria-label="Timeline"], [role="document"], [aria-label="Worker metrics"]';

/** The open list of a choice: what is chosen is shown in its place. */
const choices = '[role="listbox"]';

const error = {
  error_type: 'OutOfMemoryError',
  error_message: 'CUDA out of memory. Tried to allocate 6.42 GiB. GPU 0 has 44.5 GiB in total, 3.18 GiB free.',
  error_traceback: 'Traceback (most recent call last):\n  File "/app/handler.py", line 118, in run\n    decode(mel)',
};

test('nothing moves or blinks unasked on the first day: the sandbox, a stream, a pod, a template', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await watchStillness(page, { pattern: 'Open the sandbox' });
  await during(page, { name: 'open the sandbox', wanted: { pattern: 'No jobs yet' } }, () =>
    page.getByRole('button', { name: 'Open the sandbox' }).click(),
  );
  await during(page, { name: 'open the composer', wanted: inDialog('Ln \\d') }, () => page.keyboard.press('n'));
  await chooseEndpoint(page, 'text');
  await during(page, { name: 'type an input', wanted: inDialog('No problems') }, () =>
    typeInput(page, '{"prompt": "Review of the outage on Tuesday", "max_tokens": 160}'),
  );
  const stream = { name: 'submit', wanted: inJob('in \\d+ chunk'), besides: `${newsOfList}, ${newsOfJob}` };
  await during(page, stream, () => page.keyboard.press('ControlOrMeta+Enter'));
  const ended = { ...stream, name: 'the job ends', wanted: inJob('Completed'), still: 'section[aria-label="Job"]' };
  await during(page, ended, () => expect(jobPane(page).getByText('Completed').first()).toBeVisible());
  await expect(jobPane(page).getByRole('status')).toHaveText(/^Completed after \d/);
  await during(page, { name: 'show the sandbox', wanted: inRegion('Sandbox', 'Add fault') }, () => goTo(page, 'b'));
  await openWindows(app, page);
  expect(await unrest(page)).toEqual([]);
});

/** The windows of a pod and of a template, as they are after they were loaded again. */
async function openWindows(app: LaunchedApp, page: Page): Promise<void> {
  const pod = await openPodOfSandbox(app, page);
  await watchStillness(pod, { selector: '[aria-label="Compute"]', pattern: 'GPU' });
  expect(await unrest(pod)).toEqual([]);
  const template = await openTemplateOfSandbox(app, page);
  await watchStillness(template, { pattern: 'Container disk' });
  expect(await unrest(template)).toEqual([]);
}

test('nothing moves or blinks unasked on a day of work', async ({ launch, startService }) => {
  const service = await startService({ dialect: 'spec' });
  const { page } = await launch();
  await connectTo(page, service);
  await makeJobs(page);
  await watchStillness(page, inList('Review of the[^]*board-call'));
  await openJobs(page);
  await narrowTheList(page);
  await openRunningJob(page);
  await compose(page);
  await composeMany(page);
  await openPlaces(page);
  await openSettings(page);
  await during(page, { name: 'the service is gone', wanted: { selector: 'footer', pattern: '^Offline' } }, () =>
    service.goOffline(),
  );
  await during(page, { name: 'the service is back', wanted: { selector: 'footer', pattern: '^Online' } }, () =>
    service.goOnline(),
  );
  expect(await unrest(page)).toEqual([]);
});

const lines = (page: Page): Locator => page.getByRole('navigation', { name: 'Views and endpoints' });

/** One of each kind and outcome. */
async function makeJobs(page: Page): Promise<void> {
  await sendJobs(page, [
    { endpoint: 'mock', input: { title: 'turntable, 24 frames', mock_error: 'frames must be 1 to 16' } },
    { endpoint: 'mock', input: { title: 'board-call.wav, 2:08:44, beam 5', mock_error: error } },
    { endpoint: 'image', input: { prompt: 'Fog over ridges', width: 64, height: 64, count: 3 } },
    { endpoint: 'echo', input: { prompt: 'Extract 34 fields', pages: [1, 2], note: 'x'.repeat(3e3) } },
    { endpoint: 'echo', input: { prompt: 'Extract 35 fields', pages: [1, 3], note: 'y'.repeat(3e3) } },
    { endpoint: 'text', input: { prompt: 'Review of the outage on Tuesday', max_tokens: 120 } },
    { endpoint: 'text', input: { prompt: 'Summary of the week', max_tokens: 120 } },
  ]);
  await expect(page.getByRole('option', { name: /Completed|Failed/ })).toHaveCount(7, { timeout: 30_000 });
}

/** By row, and what is below its tabs. */
const outputs = [
  ['board-call', 'Traceback'],
  ['Fog over ridges', 'Images'],
  ['Extract 34', '2 numbers'],
  ['Extract 35', '2 numbers'],
  ['Review of the', 'What happened'],
  ['Summary of the', 'What happened'],
] as const;

const outputOf = (title: string, output: string): WantedResult => inJob(`${title}[^]*Note[^]*${output}`);

async function openJobs(page: Page): Promise<void> {
  for (const [title, output] of outputs)
    await during(page, { name: `open ${title}`, wanted: outputOf(title, output) }, () =>
      page.getByRole('option', { name: new RegExp(`^${title}`) }).click(),
    );
  for (const [title, output] of outputs.toReversed().slice(1))
    await during(page, { name: `down to ${title}`, wanted: outputOf(title, output) }, () =>
      page.keyboard.press('ArrowDown'),
    );
  await page.getByRole('option', { name: /^Extract 34/ }).click();
  for (const [key, pattern] of [
    ['2', 'Input as submitted'],
    ['3', 'As reported'],
    ['4', 'Operation'],
    ['5', 'Write'],
    ['1', 'JSON'],
  ] as const)
    await during(page, { name: `tab ${key}`, wanted: inJob(pattern) }, () => page.keyboard.press(key));
  await during(page, { name: 'close the job', wanted: inList('Execution') }, () => page.keyboard.press('Escape'));
}

/** It runs until the end of the test, and is read every few seconds. */
async function openRunningJob(page: Page): Promise<void> {
  await unjudged(page, async () => {
    await sendJobs(page, [{ endpoint: 'mock', input: { title: 'Judge 200 answers', mock_delay: 6e5 } }]);
    await expect(page.getByRole('option', { name: /In progress/ })).toHaveCount(1, { timeout: 30_000 });
  });
  await during(page, { name: 'open a running job', wanted: outputOf('Judge 200', 'Output appears here') }, () =>
    page.getByRole('option', { name: /^Judge 200/ }).click(),
  );
  await during(page, { name: 'close the running job', wanted: inList('Execution') }, () =>
    page.keyboard.press('Escape'),
  );
}

async function narrowTheList(page: Page): Promise<void> {
  for (const [view, pattern] of [
    ['Failed', 'Last hour22 failed'],
    ['Starred', 'starred'],
    ['Active', 'Nothing is running'],
    ['All jobs', '5 done, 2 failed'],
  ] as const)
    await during(page, { name: `view ${view}`, wanted: inList(pattern) }, () =>
      lines(page)
        .getByRole('button', { name: new RegExp(`^${view}`) })
        .click(),
    );
  await page.keyboard.press('/');
  await during(page, { name: 'search', wanted: inList('Last hour22 done') }, () => page.keyboard.insertText('extract'));
  for (const letters of ['xy', 'z'])
    await during(page, { name: `search for nothing: ${letters}`, wanted: inList('Nothing matches') }, () =>
      page.keyboard.insertText(letters),
    );
  await page.keyboard.press('ControlOrMeta+a');
  await during(page, { name: 'end the search', wanted: inList('board-call') }, () => page.keyboard.press('Backspace'));
  await page.keyboard.press('Escape');
  for (const [title, pattern] of [
    ['Extract 34', '1 selected'],
    ['Extract 35', '2 selected'],
  ] as const)
    await during(page, { name: `select ${title}`, wanted: { pattern } }, () =>
      page.getByRole('option', { name: new RegExp(`^${title}`) }).click({ modifiers: ['ControlOrMeta'] }),
    );
  await during(page, { name: 'compare', wanted: inRegion('Compared jobs', '\\$\\.prompt') }, () =>
    page.keyboard.press('c'),
  );
  await during(page, { name: 'leave the comparison', wanted: inList('board-call') }, () =>
    page.keyboard.press('Escape'),
  );
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
}

async function compose(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await during(page, { name: 'open the composer', wanted: inDialog('Ln \\d') }, () => page.keyboard.press('n'));
  for (const name of ['echo', 'mock', 'echo'])
    await during(page, { name: `endpoint ${name}`, wanted: inDialog(`/v2/${name}/`), besides: choices }, () =>
      chooseEndpoint(page, name),
    );
  await during(page, { name: 'type an input', wanted: inDialog('Give \\{\\{tone\\}\\} a value') }, () =>
    typeInput(page, '{"prompt": "a kettle", "tone": {{tone}}}'),
  );
  const tone = sheet.getByRole('group', { name: 'tone' });
  await during(page, { name: 'a list of values', wanted: inDialog('Give \\{\\{tone\\}\\} a value') }, () =>
    tone.getByRole('radio', { name: 'List' }).click(),
  );
  await during(page, { name: 'two values', wanted: inDialog('job 1 of 2') }, async () => {
    await tone.getByRole('textbox', { name: 'Values of tone' }).fill('1, 2');
    await page.keyboard.press('Enter');
  });
  await during(page, { name: 'save a preset', wanted: inDialog('Saved the preset') }, async () => {
    await sheet.getByRole('button', { name: 'Save preset' }).click();
    await page.getByRole('dialog', { name: 'Save preset' }).getByRole('textbox', { name: 'Name' }).fill('Kettle');
    await page.keyboard.press('Enter');
  });
}

async function composeMany(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await during(page, { name: 'many inputs', wanted: inDialog('Usual columns') }, () =>
    sheet.getByRole('radio', { name: 'Many inputs' }).click(),
  );
  for (const [name, pattern] of [
    ['text', 'Review of the'],
    ['image', 'Fog over ridges'],
    ['echo', 'Kettle'],
  ] as const)
    await during(page, { name: `many inputs for ${name}`, wanted: inDialog(pattern), besides: choices }, () =>
      chooseEndpoint(page, name),
    );
  await during(
    page,
    { name: 'type rows', wanted: inDialog('Submit 3 jobs'), still: '[aria-label="Options"]' },
    async () => {
      await sheet.getByRole('textbox', { name: 'Inputs' }).focus();
      await page.keyboard.insertText('{"prompt": "one"}\n{"prompt": "two"}\n{"prompt": "three"}');
    },
  );
  const finished = inRegion('Batch', '3 rows, finished');
  await during(page, { name: 'submit a batch', wanted: finished, besides: newsOfList }, () =>
    page.keyboard.press('ControlOrMeta+Enter'),
  );
  for (const name of ['back to all jobs', 'and again']) {
    await during(page, { name, wanted: inList('Judge 200') }, () =>
      lines(page)
        .getByRole('button', { name: /^All jobs/ })
        .click(),
    );
    await during(page, { name: 'open the batch', wanted: finished }, () =>
      lines(page)
        .getByRole('button', { name: /^Batch of/ })
        .click(),
    );
  }
}

async function openPlaces(page: Page): Promise<void> {
  await during(page, { name: 'failures', wanted: inRegion('Cause', 'What they have in common') }, () =>
    goTo(page, 'e'),
  );
  for (const [name, pattern] of [
    ['Worker', ' on mock'],
    ['Cause', 'CUDA'],
  ] as const)
    await during(page, { name: `failures by ${name}`, wanted: inRegion('Causes', pattern) }, () =>
      page.getByRole('radio', { name, exact: true }).click(),
    );
  await during(page, { name: 'the other cause', wanted: inRegion('Cause', 'frames must be[^]*What they have') }, () =>
    page.getByRole('option', { name: /frames must be/ }).click(),
  );
  const health = page.getByRole('region', { name: 'Health', exact: true });
  await during(page, { name: 'health', wanted: inRegion('Health', 'Workers running') }, () => goTo(page, 'h'));
  await during(page, { name: 'health of mock', wanted: inRegion('Purge queue', 'Queue read') }, () =>
    health.getByRole('region', { name: 'Endpoints' }).getByRole('button', { name: 'mock', exact: true }).click(),
  );
  await during(page, { name: 'a new alert rule', wanted: inDialog('New alert rule') }, () =>
    health.getByRole('button', { name: 'Add rule' }).click(),
  );
  await page.keyboard.press('Escape');
  await during(page, { name: 'alerts', wanted: inDialog('No alerts yet') }, () =>
    health.getByRole('button', { name: 'History', exact: true }).click(),
  );
  await page.keyboard.press('Escape');
  await during(page, { name: 'pods', wanted: { pattern: 'Open pod' } }, () => goTo(page, 'p'));
  await during(page, { name: 'templates', wanted: { pattern: 'Open template' } }, () => goTo(page, 't'));
  await during(page, { name: 'notifications', wanted: inRegion('Notifications', 'Mark all seen|report') }, () =>
    page.getByRole('button', { name: /^Notifications/ }).click(),
  );
  await page.keyboard.press('Escape');
  await during(page, { name: 'palette', wanted: inDialog('New job') }, () => page.keyboard.press('ControlOrMeta+k'));
  for (const [letters, pattern] of [
    ['ext', 'Jobs[^]*Extract 34'],
    ['xy', 'No results for “extxy”'],
    ['z', 'No results for “extxyz”'],
  ] as const)
    await during(page, { name: `palette: ${letters}`, wanted: inDialog(pattern) }, () =>
      page.keyboard.insertText(letters),
    );
  await page.keyboard.press('Escape');
  await during(page, { name: 'from templates to failed jobs', wanted: inList('Last hour22 failed') }, () =>
    lines(page)
      .getByRole('button', { name: /^Failed/ })
      .click(),
  );
  await unjudged(page, async () => {
    await goTo(page, 'a');
    await expect(page.getByRole('option', { name: /^Judge 200/ })).toBeVisible();
  });
}

async function openSettings(page: Page): Promise<void> {
  await during(page, { name: 'settings', wanted: inDialog('List density') }, () =>
    page.keyboard.press('ControlOrMeta+,'),
  );
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  for (const [entry, pattern] of [
    ['Notifications', 'Quiet hours'],
    ['Network', 'Proxy'],
    ['Storage', 'Search index'],
    ['About', 'Show diagnostics'],
    ['Add connection', 'Base URL'],
    ['Production', 'Remove connection'],
    ['Preferences', 'List density'],
  ] as const)
    await during(page, { name: `settings: ${entry}`, wanted: inDialog(pattern) }, () =>
      dialog.getByRole('navigation').getByRole('button', { name: entry }).click(),
    );
  await page.keyboard.press('Escape');
}
