import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { openHistory } from '../../../src-main/history/open-history.ts';
import { connectTo } from '../../e2e/fixtures.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { launchApp } from '../../kit/launch.ts';
import type { LaunchedApp } from '../../kit/launch.ts';
import { searchJobs, submitJob, typeInput } from '../../kit/person.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';
import { batches } from './batches.ts';
import { batchTable } from './batch-table.ts';
import { compared } from './compared.ts';
import { connectionKey, plainHttpKept } from './connection-key.ts';
import { failures } from './failures.ts';
import { health, healthEmpty } from './health.ts';
import { healthActions, healthBroken, healthRefused, healthStopped } from './health-states.ts';
import { judged } from './judged.ts';
import { network } from './network.ts';
import { notifications } from './notifications.ts';
import { deletedJobs, manyAgain } from './deleted.ts';
import { orphans } from './orphaned.ts';
import { outputs } from './outputs.ts';
import { ownPalettes } from './own-palettes.ts';
import { pod, sandboxPods } from './pod.ts';
import { preparation } from './preparation.ts';
import { presets } from './presets.ts';
import { printedOutput } from './printed.ts';
import { sandboxPane } from './sandbox-pane.ts';
import { streams } from './streams.ts';
import { template } from './template.ts';
import { variables } from './variables.ts';
import { refused, unsettled } from './unsettled.ts';
import { waitingRetry } from './waiting-retry.ts';
import { outDir, shoot, shootThemes, sizes, wanted } from './stage.ts';
import type { Stage } from './stage.ts';

/* Plays the scenes of `npm run gallery` (gallery.ts) and takes their pictures. */
/** 300 characters. */
const longTitle =
  'Compare every clause of the 2019, 2021 and 2024 framework agreements with the house template, list what ' +
  'differs by section, quote both wordings in full, and say for each difference whether it shifts ' +
  'liability, payment terms or termination rights, with page numbers and the names of whoever signed it';

const scenes: Record<string, (stage: Stage) => Promise<void>> = {
  firstRun,
  empty,
  jobs,
  trouble,
  wrongKey,
  damaged,
  settings,
  network,
  notifications,
  crowd,
  sandboxPane,
  printedOutput,
  batches,
  batchTable,
  variables,
  health,
  healthEmpty,
  healthActions,
  healthBroken,
  healthRefused,
  healthStopped,
  pod,
  sandboxPods,
  template,
  preparation,
  orphans,
  deletedJobs,
  manyAgain,
  judged,
  failures,
  compared,
  waitingRetry,
  streams,
  outputs,
  presets,
  ownPalettes,
  connectionKey,
  plainHttpKept,
  unsettled,
  refused,
};

const unknown = wanted.filter((name) => !Object.hasOwn(scenes, name));
if (outDir.startsWith('-') || unknown.length > 0) {
  const why = unknown.length > 0 ? `There is no scene ${unknown.join(', ')}.\n` : '';
  console.error(`${why}npm run gallery [-- FOLDER [SCENE ...]]. The scenes are ${Object.keys(scenes).join(', ')}.`);
  process.exit(2);
}
await mkdir(outDir, { recursive: true });
/** Scenes that failed. The others are still played. */
const failed: string[] = [];
for (const [name, play] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    await stage(play);
  } catch (error) {
    failed.push(name);
    console.error(`Scene ${name}:`, error);
  }
}
if (failed.length > 0) {
  console.error(`Not played to their end: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function stage(play: (stage: Stage) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck-gallery-'));
  const service = await startSandbox();
  const apps: LaunchedApp[] = [];
  const others: Awaited<ReturnType<typeof startSandbox>>[] = [];
  try {
    await play({
      service,
      dataDir,
      startService: async (options) => {
        const other = await startSandbox(options);
        others.push(other);
        return other;
      },
      launch: async () => {
        const app = await launchApp({ dataDir });
        apps.push(app);
        const page = await app.mainWindow();
        await page.setViewportSize(sizes[0]);
        return { app, page };
      },
    });
  } finally {
    for (const app of apps) await app.kill();
    for (const other of others) await other.close();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function firstRun({ launch }: Stage): Promise<void> {
  const { page } = await launch();
  await page.getByRole('button', { name: 'Open the sandbox' }).waitFor();
  await shoot(page, 'onboarding');
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page.getByText('No jobs yet').waitFor();
  await shoot(page, 'empty-sandbox');
}

async function empty({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByText('No jobs yet').waitFor();
  await shoot(page, 'empty');
  await page.getByRole('button', { name: 'New job' }).first().click();
  await page.getByRole('dialog', { name: 'New job' }).getByRole('button', { name: 'Submit job' }).waitFor();
  await shoot(page, 'composer');
}

/** The main job: running and ended jobs, the palette, the composer, the filter, offline, a window of its own. */
async function jobs({ launch, service }: Stage): Promise<void> {
  const { app, page } = await launch();
  await connectTo(page, service);
  await submitJob(page, {
    endpoint: 'image',
    input: { prompt: 'Layered mountain ridges in morning fog', width: 640, height: 640, count: 3 },
  });
  await submitJob(page, {
    endpoint: 'echo',
    input: {
      prompt: 'Extract 34 fields from 120 lease agreements',
      pages: [1, 2, 3],
      options: { strict: true, note: 'x'.repeat(3000) },
    },
  });
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'board-call.wav, 2:08:44, en, beam 5, batch 24',
      mock_delay: 800,
      mock_error: {
        error_type: 'OutOfMemoryError',
        error_message: 'CUDA out of memory. Tried to allocate 6.42 GiB. GPU 0 has 44.5 GiB in total, 3.18 GiB free.',
        error_traceback:
          'Traceback (most recent call last):\n  File ' +
          '"/usr/lib/python3/site-packages/torch/nn/modules/module.py", line 1511, in _call_impl\n    ' +
          'return forward_call(*args)\n  File "/app/handler.py", line 118, in run\n    segments = ' +
          'decode(mel)\n  File "/app/decode.py", line 241, in batch_decode\n    tokens = beam(model, ' +
          'mel[:batch_size], beam_size=5)\ntorch.cuda.OutOfMemoryError: CUDA out of memory.',
      },
    },
  });
  await submitJob(page, { endpoint: 'mock', input: { title: 'Completed with nothing to show' } });
  for (const prompt of [
    'Rewrite 12 release notes in plain language',
    'Translate field manual, 218 pages, to Portuguese',
  ])
    await submitJob(page, { endpoint: 'text', input: { prompt, max_tokens: 220 } });
  await submitJob(page, {
    endpoint: 'text',
    // It streams while all of its pictures are taken.
    input: { prompt: 'Post-incident review of 4182 from 61 pages of logs', max_tokens: 20_000 },
  });
  for (const title of [
    'Label 400 support tickets with 18 intents',
    'town-hall-2025-11-19.m4a, 1:12:08, en',
    'Studio photo of a matte ceramic kettle',
    'Judge 200 answers against rubric v4',
  ])
    await submitJob(page, { endpoint: 'mock', input: { title, mock_delay: 600_000 } });
  await open(page, /Post-incident review/);
  await page
    .getByText(/in [\d,]{2,} chunks/)
    .first()
    .waitFor();
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
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await shoot(page, 'metrics');
  await page.getByRole('tab', { name: /Requests/ }).click();
  await shoot(page, 'requests');
  await page.getByRole('tab', { name: 'Output' }).click();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('re');
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  // The window has the keyboard again when the palette is gone.
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toHaveCount(0);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await shoot(page, 'shortcuts');
  await page.keyboard.press('Escape');

  await page.getByRole('option', { name: /Extract 34/ }).click();
  await page.keyboard.press('x');
  await page.getByRole('option', { name: /board-call/ }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByText(/2 selected/).waitFor();
  await shoot(page, 'bulk');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'New job' }).first().click();
  await typeInput(page, '{\n  "model": "large-v3",\n  "word_timestamps": ture,\n  "beam_size": 5\n}');
  await page.getByRole('dialog', { name: 'New job' }).getByRole('radio', { name: 'runsync' }).click();
  await shoot(page, 'composer-problem');
  await page.keyboard.press('Escape');

  await searchJobs(page, 'heliotrope');
  await page
    .getByText(/Nothing matches/)
    .first()
    .waitFor();
  await shoot(page, 'no-matches');
  await searchJobs(page, 'status:failed endpoint:text heliotrope');
  await page.getByText('Dropping one of them is not enough:').waitFor();
  await shoot(page, 'no-matches-of-many');
  await page.getByLabel('Search jobs').press('Escape');
  await searchJobs(page, '');

  await page.getByRole('button', { name: 'Pause polling' }).click();
  await page.getByText('Polling paused').first().waitFor();
  await shoot(page, 'paused');
  await page.getByRole('button', { name: 'Resume polling' }).click();

  await open(page, /Post-incident review/);
  await service.goOffline();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor({ timeout: 60_000 });
  await shoot(page, 'offline');
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'Summarise the on-call handover, written on a train' } });
  await page.getByText('Not sent yet').first().waitFor();
  await shoot(page, 'waiting');
  await service.goOnline();

  await open(page, /Post-incident review/);
  await page.getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow(/\/job\//);
  await own.getByRole('document', { name: 'Output text' }).waitFor();
  for (const size of [
    { width: 1180, height: 820 },
    { width: 800, height: 600 },
  ]) {
    await own.setViewportSize(size);
    await shootThemes(own, `job-window-${size.width}`);
  }
}

/** Faults of the service on a submission, and a key that is no longer accepted. */
async function trouble({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'Fails whenever it is tried',
      mock_error: 'The model could not be loaded: shard 3 of 8 is missing.',
    },
  });
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByText('Failed').first()).toBeVisible({
    timeout: 20_000,
  });
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await page.getByRole('region', { name: 'Job', exact: true }).getByText('Attempt 2').waitFor();
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByText('Failed').first()).toBeVisible({
    timeout: 20_000,
  });
  await shoot(page, 'retried');
  service.setFault({ operation: 'run', kind: 'drop-after-accept', times: 1 });
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'Did this one arrive' } });
  await page.getByText('It may have run').waitFor({ timeout: 20_000 });
  await shoot(page, 'outcome-unknown');
  service.setFault({ operation: 'run', kind: 'status', status: 400, times: 1 });
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'The service will not take this one' } });
  await page.getByText('The service rejected this job').waitFor({ timeout: 20_000 });
  await shoot(page, 'refused');
  service.setFault(null);
  await submitJob(page, { endpoint: 'mock', input: { title: 'Runs while the key is refused', mock_delay: 600_000 } });
  await page.getByText('In progress').first().waitFor({ timeout: 20_000 });
  await moveConnection(page, 'http://127.0.0.1:9');
  await page.getByText('No longer tracked').waitFor();
  await shoot(page, 'not-followed');
  await moveConnection(page, service.baseUrl);
  service.setFault({ kind: 'status', status: 401 });
  await page.getByText('The service refused this key (401)').first().waitFor({ timeout: 30_000 });
  await shoot(page, 'key-refused');
  service.setFault(null);
  await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connectionId = listed?.ok === true ? listed.value[0]?.id : undefined;
    if (connectionId !== undefined) await window.bridge?.call('connection:deleteKey', { connectionId });
  });
  await page.getByText(/No key for/).waitFor();
  await shoot(page, 'no-key');
}

/** Changes the address of the connection, as Settings does. */
async function moveConnection(page: Page, baseUrl: string): Promise<void> {
  await page.evaluate(
    async ({ to, key }) => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const [connection] = listed?.ok === true ? listed.value : [];
      if (connection === undefined) throw new Error('There is no connection.');
      const { id, name, restUrl, authorization, endpoints } = connection;
      await window.bridge?.call('connection:save', {
        draft: { id, name, baseUrl: to, restUrl, authorization, endpoints },
        key,
      });
    },
    { to: baseUrl, key: TEST_API_KEY },
  );
}

async function wrongKey({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service, { key: 'not-the-key' });
  await page
    .getByText(/4 operations are refused/)
    .first()
    .waitFor({ timeout: 20_000 });
  await shoot(page, 'key-refused-without-jobs');
}

/** A database that cannot be read: shown on the first screen and in the main window. */
async function damaged({ launch, dataDir, service }: Stage): Promise<void> {
  await writeFile(join(dataDir, 'history.db'), 'this is no database at all'.repeat(500));
  const { page } = await launch();
  await page
    .getByText(/set aside/i)
    .first()
    .waitFor();
  await shoot(page, 'onboarding-notice');
  await connectTo(page, service);
  await page.getByText('No jobs yet').waitFor();
  await shoot(page, 'main-notice');
}

async function settings({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: /^Connection:/ }).click();
  await page.getByRole('menuitem', { name: 'Manage connections' }).waitFor();
  await shoot(page, 'connection-menu');
  await page.getByRole('menuitem', { name: 'Manage connections' }).click();
  const sheet = page.getByRole('dialog', { name: 'Settings' });
  await sheet.getByLabel('Connection name').waitFor();
  await shoot(page, 'settings-connection');
  await sheet.getByRole('button', { name: 'Add connection' }).click();
  await shoot(page, 'settings-new-connection');
  await sheet.getByRole('button', { name: 'Preferences' }).click();
  await shoot(page, 'settings-preferences');
  for (const name of ['Storage', 'About']) {
    await sheet.getByRole('button', { name, exact: true }).click();
    await shoot(page, `settings-${name.toLowerCase()}`);
  }
  await sheet.getByRole('button', { name: 'Show diagnostics' }).click();
  await sheet.getByRole('region', { name: 'Diagnostics' }).waitFor();
  await shoot(page, 'settings-diagnostics');
}

/** More than fits a screen: 12,000 saved jobs, 30 endpoints, long names, titles of 300 characters and right to left. */
async function crowd({ launch, service, dataDir }: Stage): Promise<void> {
  const first = await launch();
  await connectTo(first.page, service);
  const { id: connectionId, baseUrl } = await first.page.evaluate(
    async ({ restUrl, key, manyEndpoints }) => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const [connection] = listed?.ok === true ? listed.value : [];
      if (connection === undefined) throw new Error('no connection');
      const { id, baseUrl: sentTo, authorization } = connection;
      await window.bridge?.call('connection:save', {
        draft: {
          id,
          name: 'Production, Frankfurt and Singapore, shared by three teams',
          baseUrl: sentTo,
          restUrl,
          authorization,
          endpoints: manyEndpoints,
        },
        key,
      });
      return { id, baseUrl: sentTo };
    },
    {
      restUrl: service.restUrl,
      key: TEST_API_KEY,
      manyEndpoints: [...service.endpoints, ...Array.from({ length: 26 }, (_, index) => `model-${index + 1}`)].map(
        (id, index) => ({
          id,
          label: index === 1 ? 'Text generation for the support team, long context' : '',
          flavour: (['text', 'image', 'audio', 'embedding', 'other'] as const)[index % 5] ?? ('other' as const),
        }),
      ),
    },
  );
  await first.app.close();

  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const titles = [
    longTitle,
    'תמלול ישיבת הנהלה, 42 דקות, עברית',
    'تلخيص 120 عقد إيجار (PDF) مع الجداول',
    'UninterruptedTitleWithoutASingleSpaceToBreakAt'.repeat(4),
    '汎用モデルで議事録を要約する、全218ページ',
    'a',
    '🧪 prompt with an emoji & <b>markup</b>',
  ];
  const endpoints = service.endpoints;
  for (let from = 0; from < 12_000; from += 500) {
    await history.commit(
      Array.from({ length: 500 }, (_, at) =>
        aSavedJob({
          number: from + at,
          connectionId,
          baseUrl,
          endpointId: endpoints[(from + at) % endpoints.length] ?? 'text',
          title:
            (from + at >= 11_993 ? titles[11_999 - from - at] : undefined) ??
            `Nightly evaluation ${from + at}, rubric v4`,
          ageMs: (12_000 - from - at) * 47_000,
        }),
      ),
    );
  }
  await history.close();

  const { page } = await launch();
  await page.getByRole('option').first().waitFor();
  await shoot(page, 'crowd');
  await page.getByRole('option', { name: /תמלול/ }).click();
  await shoot(page, 'right-to-left');
  await page.setViewportSize(sizes[0]);
  await page.keyboard.press('End');
  await shoot(page, 'crowd-end');
  await page.keyboard.press('Home');
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
  const list = page.getByRole('button', { name: 'List', exact: true });
  await list.click();
  await shoot(page, 'list-menu');
  await page
    .getByRole('menuitemradio', { name: 'Compact' })
    .or(page.getByRole('menuitem', { name: 'Compact' }))
    .click();
  await page.getByRole('columnheader', { name: 'Execution' }).waitFor();
  await shoot(page, 'list-table');
}

async function open(page: Page, name: RegExp): Promise<void> {
  await page.setViewportSize(sizes[0]);
  await page.getByRole('option', { name }).first().click();
  await expect(
    page.getByRole('region', { name: 'Job', exact: true }).getByRole('heading', { name }).first(),
  ).toBeVisible();
}
