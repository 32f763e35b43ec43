import type { Locator, Page } from '@playwright/test';
import {
  cpuTypeFields,
  gpuFields,
  machineFields,
  networkVolumeFields,
  podFields,
  savingsPlanFields,
} from '../../src-renderer/pods/pod-fields.ts';
import { faults } from '../kit/axe.ts';
import { createFaultService } from '../kit/fault-service.ts';
import type { FaultService } from '../kit/fault-service.ts';
import { REVEALED_MS, endTimers, holdTimers, holdToasts } from '../kit/held-timers.ts';
import { podPaths } from '../kit/pod-table.ts';
import { createVirtualClock, TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

/** One field of a pod's window, by its name in the API. */
function field(own: Page, path: string): Locator {
  return own.getByRole('group', { name: new RegExp(`, ${path.replaceAll('.', '\\.')}$`) });
}

async function openPod(app: LaunchedApp, page: Page, podId: string): Promise<Page> {
  await page.getByRole('navigation').getByRole('button', { name: 'Pods', exact: true }).click();
  await page.getByLabel('Pod id').fill(podId);
  await page.getByRole('button', { name: 'Open pod', exact: true }).click();
  const own = await app.waitForWindow(new RegExp(`/pod/[^/]+/${encodeURIComponent(podId)}$`));
  await own.setViewportSize({ width: 1440, height: 900 });
  return own;
}

/** The label that the table of fields gives a path. */
function labelOf(path: string): string {
  const parts = path.split('.');
  const name = parts.at(-1) ?? '';
  const table =
    {
      gpu: gpuFields,
      machine: machineFields,
      'machine.cpuType': cpuTypeFields,
      'machine.gpuType': gpuFields,
      networkVolume: networkVolumeFields,
      'savingsPlans.0': savingsPlanFields,
    }[parts.slice(0, -1).join('.')] ?? podFields;
  return new Map(Object.entries(table)).get(name)?.label ?? '';
}

test('a pod opened by id with every field, flags, env and workers', async ({ launch, startService }) => {
  const service = await startService({ dialect: 'observed' });
  const { app, page } = await launch();
  await connectTo(page, service);

  // Malformed ids are reported at the field, and nothing is sent.
  await page.getByRole('navigation').getByRole('button', { name: 'Pods', exact: true }).click();
  await expect(page.getByText('No pods yet')).toBeVisible();
  for (const [typed, said] of [
    ['', 'Enter a pod’s id'],
    ['a b', 'no spaces'],
    ['pods/x', 'no / '],
    ['x'.repeat(192), 'at most 191'],
  ] as const) {
    await page.getByLabel('Pod id').fill(typed);
    await page.getByRole('button', { name: 'Open pod', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText(said);
    await expect(page.getByLabel('Pod id')).toHaveValue(typed);
  }
  expect(app.windows()).toHaveLength(1);

  const [trainingId = ''] = service.pods;
  const own = await openPod(app, page, trainingId);
  await expect(field(own, 'name')).toContainText('zebrafish training');
  // Every field of the tables: named, labelled, with its meaning.
  const shown = await own.getByRole('group').evaluateAll((elements) =>
    elements.map((element) => ({
      name: element.getAttribute('aria-label') ?? '',
      meaning: element.getAttribute('aria-description'),
      text: element instanceof HTMLElement ? element.innerText.trim() : '',
    })),
  );
  for (const path of podPaths)
    expect(shown.filter(({ name }) => name.endsWith(`, ${path}`))).toEqual([
      {
        name: `${labelOf(path)}, ${path}`,
        meaning: expect.stringMatching(/^[A-Z].{10,}/),
        text: expect.stringMatching(/./),
      },
    ]);
  await expect(field(own, 'memoryInGb')).toHaveText(/250 GB/);
  await expect(field(own, 'costPerHr')).toContainText('2.98');
  await expect(field(own, 'dockerEntrypoint')).toContainText('from the image []');
  await expect(field(own, 'endpointId')).toContainText('none');
  await expect(field(own, 'template')).toContainText('not requested');
  await expect(field(own, 'savingsPlans.0.endTime')).toContainText('Ends');
  await expect(own.getByText('Same site as the machine')).toBeVisible();
  // In a small window nothing but the panels scrolls: focus would otherwise push the title bar out of sight.
  await own.setViewportSize({ width: 900, height: 600 });
  await expect.poll(() => own.evaluate(() => document.documentElement.scrollHeight)).toBe(600);
  await own.setViewportSize({ width: 1440, height: 900 });
  // By hand: one tab stop, arrows between fields, the meaning shown, copied by key.
  await field(own, 'vcpuCount').focus();
  await own.keyboard.press('ArrowDown');
  await expect(field(own, 'memoryInGb')).toBeFocused();
  await expect(own.getByText('RAM of the pod.')).toBeVisible();
  await own.keyboard.press('ControlOrMeta+c');
  await expect.poll(() => app.clipboard()).toBe('250');

  // Flags: what is off is not asked for; the request line says what is sent.
  const line = own.getByRole('group', { name: 'Request line' });
  await expect(line).toHaveText(
    `GET /v1/pods/${trainingId}?includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true`,
  );
  await own.getByRole('switch', { name: 'includeMachine' }).click();
  await expect(field(own, 'machine')).toContainText('not requested');
  await expect(line).not.toContainText('includeMachine');
  await own.getByRole('switch', { name: 'includeTemplate' }).click();
  await expect(field(own, 'template')).toContainText('PyTorch');
  await own.getByRole('switch', { name: 'includeWorkers' }).click();
  await expect(own.getByRole('region', { name: 'Worker pods' })).toBeVisible();
  await own.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect.poll(() => app.clipboard()).toContain('includeWorkers=true');
  expect(await app.clipboard()).toContain('Bearer $JOBDECK_KEY');
  expect(await app.clipboard()).not.toContain(TEST_API_KEY);

  // Env: hidden everywhere, one value at a time, copied past the window.
  const env = own.getByRole('region', { name: 'Environment' });
  await expect(own.getByRole('textbox', { name: /Reply JSON/ })).toContainText('"RUN_NAME": "••••••••"');
  expect(await own.locator('body').innerText()).not.toContain('zebrafish-17');
  await own.getByRole('button', { name: 'Copy the reply, env values hidden' }).click();
  await expect.poll(() => app.clipboard()).toContain('"RUN_NAME": "••••••••"');
  expect(await app.clipboard()).not.toContain('zebrafish-17');
  await env.getByRole('button', { name: 'Copy the value of RUN_NAME' }).click();
  await expect.poll(() => app.clipboard()).toBe('zebrafish-17');
  // Marked for clipboard managers to keep nothing of it.
  expect(await app.ask('clipboardFormats')).toContainEqual(
    expect.stringMatching(/passwordManagerHint|ConcealedType|ExcludeClipboardContent/),
  );
  expect(await own.locator('body').innerText()).not.toContain('zebrafish-17');
  await holdTimers(own, REVEALED_MS);
  await env.getByRole('button', { name: 'Reveal RUN_NAME' }).click();
  await expect(env.getByText('zebrafish-17')).toBeVisible();
  const other = env.getByRole('button', { name: /^Reveal / }).first();
  await other.click();
  await expect(env.getByText('zebrafish-17')).toHaveCount(0);
  await expect(env.getByRole('button', { name: /^Hide / })).toHaveCount(1);
  await endTimers(own, REVEALED_MS);
  await expect(env.getByRole('button', { name: /^Hide / })).toHaveCount(0);

  // The reply can be searched.
  await own.keyboard.press('ControlOrMeta+f');
  await own.getByRole('textbox', { name: 'Search in the reply' }).fill('cuda');
  const matches = own.getByRole('search').getByRole('status');
  await expect(matches).toHaveText(/^[1-9]\d* match/);
  // What is counted is the reply that is shown.
  await own.getByRole('textbox', { name: 'Search in the reply' }).fill('"template":');
  await expect(matches).toHaveText('5 matches');
  await own.getByRole('switch', { name: 'includeTemplate' }).click();
  await expect(matches).toHaveText(/^[0-4] match/);
  await own.getByRole('switch', { name: 'includeTemplate' }).click();
  await expect(matches).toHaveText('5 matches');
  await own.keyboard.press('Escape');

  // Pinned, listed, found in the palette.
  await own.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Pinned' }).getByRole('button', { name: 'Open pod zebrafish training' }),
  ).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Pods', exact: true })).toContainText('1');
  // What the main window does with the pin is seen in the pod's window.
  await expect(own.getByRole('button', { name: 'Unpin', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Unpin zebrafish training' }).click();
  await expect(own.getByRole('button', { name: 'Pin', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('zebrafish');
  await expect(page.getByRole('option', { name: 'Open pod zebrafish training' })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('a starting pod is tracked until it runs', async ({ launch, startService }) => {
  const { app, page } = await launch();
  // Its twenty seconds pass when it has been seen starting.
  const clock = createVirtualClock();
  const service = await startService({ dialect: 'spec', clock });
  await connectTo(page, service);
  const own = await openPod(app, page, service.pods.at(-1) ?? '');
  await expect(own.getByRole('complementary', { name: 'Identity' }).getByText('Starting').first()).toBeVisible();
  await expect(field(own, 'publicIp')).toContainText('none');
  await expect(field(own, 'portMappings')).toContainText('{}');
  await expect(own.getByRole('row', { name: /^22/ })).toContainText('waiting for the pod');
  await expect(own.getByRole('contentinfo')).toContainText('Starting: next read in');
  clock.advance(20_000);
  // Without any press.
  await expect(field(own, 'publicIp')).toContainText(/\d+\.\d+\.\d+\.\d+/, { timeout: 30_000 });
  await expect(own.getByRole('region', { name: 'Changed' })).toContainText('publicIp');
  await expect(own.getByRole('contentinfo')).toContainText('Read on request, not polled');
  await expect(own.getByRole('row', { name: /^22/ }).getByRole('button', { name: 'Copy ssh command' })).toBeVisible();
});

const pod = {
  id: 'p7d2kx40nqa1we',
  name: 'whisper',
  desiredStatus: 'RUNNING',
  costPerHr: 6.48,
  adjustedCostPerHr: 4.86,
  env: { HF_TOKEN: 'hf-secret-0001' },
  ports: ['22/tcp', '6006/http', '8888/http'],
  portMappings: { 22: 10_341, 6006: 10_342 },
  publicIp: '203.0.113.47',
  lastStartedAt: '2026-10-04 11:09:24.633 +0000 UTC',
  locked: false,
};

/** A connection whose pods a scripted service answers. */
async function withManagement(
  page: Page,
  management: FaultService,
  service: { baseUrl: string; endpoints: string[] },
): Promise<void> {
  await connectTo(page, { baseUrl: service.baseUrl, restUrl: management.url, endpoints: service.endpoints });
}

test('ports to copy and open, changes, and every way a read can fail', async ({ launch, startService }) => {
  const service = await startService();
  const management = await createFaultService();
  try {
    management.otherwise({
      kind: 'reply',
      body: { ...pod, workers: [{ id: 'worker1', endpointId: 'echo' }, { note: 'no id' }] },
    });
    const { app, page } = await launch();
    await withManagement(page, management, service);
    const own = await openPod(app, page, pod.id);
    await holdToasts(own);

    const http = own.getByRole('row', { name: /^6006/ });
    await http.getByRole('button', { name: 'Open', exact: true }).click();
    const question = own.getByRole('dialog', { name: 'Open this port in the browser' });
    await expect(question).toContainText('http://203.0.113.47:10342');
    expect.soft(await faults(app, own, 'open a port')).toEqual([]);
    expect(await app.openedExternally()).toEqual([]);
    await question.getByRole('button', { name: 'Open in the browser' }).click();
    await expect.poll(() => app.openedExternally()).toEqual(['http://203.0.113.47:10342']);
    await expect(question).toBeHidden();
    // Asked once.
    await http.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(async () => (await app.openedExternally()).length).toBe(2);
    await own.getByRole('row', { name: /^22/ }).getByRole('button', { name: 'Copy ssh command' }).click();
    await expect.poll(() => app.clipboard()).toBe('ssh root@203.0.113.47 -p 10341');
    await expect(own.getByRole('row', { name: /^8888/ })).toContainText('no public port');

    // A worker of the listing opens in a window of its own.
    const workers = own.getByRole('region', { name: 'Worker pods' });
    await expect(workers).toContainText('1 entry without an id');
    await workers.getByRole('button', { name: 'worker1' }).click();
    expect((await app.waitForWindow(/\/pod\/[^/]+\/worker1$/)).url()).toContain('worker1');

    // The price as an endpoint's rate.
    await own.getByRole('button', { name: 'Use as rate for an endpoint' }).click();
    await own.getByRole('menuitem', { name: 'echo' }).click();
    await expect(own.getByText('echo now costs 4.86 credits per hour and worker')).toBeVisible();

    // The next check tells what changed; env by name only.
    management.otherwise({
      kind: 'reply',
      body: {
        ...pod,
        locked: 'perhaps',
        env: { HF_TOKEN: 'hf-secret-0002' },
        publicIp: '203.0.113.48',
        brandNew: { a: 1 },
      },
    });
    await own.keyboard.press('F5');
    const changed = own.getByRole('region', { name: 'Changed' });
    await expect(changed.getByRole('listitem').filter({ hasText: 'publicIp' })).toContainText('"203.0.113.47"');
    await expect(changed.getByRole('listitem').filter({ hasText: 'env.HF_TOKEN' })).toContainText(
      'value changed, hidden',
    );
    await expect(field(own, 'locked')).toContainText('"perhaps" unexpected format');
    await expect(own.getByRole('region', { name: 'Not in the specification' })).toContainText('brandNew');
    expect(await own.locator('body').innerText()).not.toContain('hf-secret');

    const refresh = own.getByRole('button', { name: 'Refresh' });
    const failures = [
      [{ kind: 'reply', status: 401, body: { error: 'bad token' } }, 'The service refused the key (401)', 'bad token'],
      [
        { kind: 'reply', status: 404, body: { error: 'pod not found', status: 404 } },
        'No such pod (404)',
        'pod not found',
      ],
      // Each says something else, so that none is taken for the one before.
      [{ kind: 'reply', status: 404, body: { message: 'No pod here' } }, 'No such pod (404)', 'No pod here'],
      [
        {
          kind: 'reply',
          status: 404,
          body: { detail: 'it has left', status: 404, title: 'Not Found' },
          contentType: 'application/problem+json',
        },
        'No such pod (404)',
        'it has left',
      ],
      [
        { kind: 'reply', status: 500, body: { error: 'worker crashed' } },
        'The service answered with an error (500)',
        'worker crashed',
      ],
      [{ kind: 'reply', body: 'no json at all' }, 'Could not read the reply', null],
      [{ kind: 'reset' }, 'Could not reach the service', null],
    ] as const;
    for (const [fault, title, said] of failures) {
      management.otherwise(fault);
      await refresh.click();
      await expect(own.getByText(title)).toBeVisible();
      if (said !== null) await expect(own.getByText(`The service said: ${said}`)).toBeVisible();
      // What was known stays, with its time.
      await expect(own.getByText(/What was read at .* stays below/)).toBeVisible();
      await expect(field(own, 'publicIp')).toContainText('203.0.113.48');
    }
    // The raw reply is one click away, cut where variables may begin.
    management.otherwise({ kind: 'reply', body: '{"id":"p1","env":{"HF_TOKEN":"hf-secret-0003' });
    await refresh.click();
    await own.getByRole('button', { name: 'Show the reply' }).click();
    await expect(own.getByText('{"id":"p1",')).toBeVisible();
    expect(await own.locator('body').innerText()).not.toContain('hf-secret');
    management.otherwise({ kind: 'reply', body: { id: pod.id } });
    await refresh.click();
    await expect(field(own, 'name')).toContainText('not in the reply');
    await expect(own.getByText('Cost not reported')).toBeVisible();

    management.otherwise({
      kind: 'reply',
      status: 429,
      body: { error: 'slow down' },
      headers: { 'retry-after': '300' },
    });
    await refresh.click();
    await expect(own.getByText('Too many requests (429)')).toBeVisible();
    await expect(own.getByRole('button', { name: /^Read again in [45]:/ })).toHaveAttribute('aria-disabled', 'true');
    const sent = management.requests.length;
    await refresh.click();
    await expect(own.getByText('Waiting before the next read')).toBeVisible();
    expect(management.requests).toHaveLength(sent);
  } finally {
    await management.close();
  }
});

test('a pod that does not start is polled for ten minutes, then only on request', async ({ launch, startService }) => {
  const service = await startService();
  const management = await createFaultService();
  try {
    management.otherwise({ kind: 'reply', body: { ...pod, publicIp: null, portMappings: {} } });
    const { app, page } = await launch();
    await withManagement(page, management, service);
    const own = await openPod(app, page, pod.id);
    await expect(own.getByRole('contentinfo')).toContainText('Starting: next read in');
    await own.clock.install();
    // The timer that was set before still runs by the real clock.
    await management.received(1);
    await own.clock.fastForward('11:00');
    await expect(own.getByText('Still starting after ten minutes')).toBeVisible();
    await expect(own.getByRole('contentinfo')).toContainText('no longer refreshed');
    const asked = management.requests.length;
    await own.getByRole('button', { name: 'Keep refreshing' }).click();
    await management.received(asked);
    await expect(own.getByRole('contentinfo')).toContainText('Starting: next read in');
    await expect(own.getByText('Still starting after ten minutes')).toHaveCount(0);

    // A pod that was never read: the panel shows what the service answered instead.
    management.otherwise({ kind: 'reply', status: 404, body: { error: 'pod not found', podId: 'nowhere' } });
    const unread = await openPod(app, page, 'nowhere');
    const panel = unread.getByRole('complementary', { name: 'Request and reply' });
    await expect(panel.getByText('404', { exact: true })).toBeVisible();
    await expect(panel).toContainText('"podId": "nowhere"');
  } finally {
    await management.close();
  }
});

test('offline, a pod opens as last read; without a REST URL the window says so', async ({ launch, startService }) => {
  const service = await startService();
  const management = await createFaultService();
  management.otherwise({ kind: 'reply', body: pod });
  const first = await launch();
  await withManagement(first.page, management, service);
  const own = await openPod(first.app, first.page, pod.id);
  await expect(field(own, 'publicIp')).toContainText('203.0.113.47');
  await first.app.close();
  await management.close();

  const { app, page } = await launch();
  await holdToasts(page);
  await page.getByRole('navigation').getByRole('button', { name: 'Pods', exact: true }).click();
  const recent = page.getByRole('region', { name: 'Recent' });
  await recent.getByRole('button', { name: 'More for whisper' }).click();
  await page.getByRole('menuitem', { name: 'Forget' }).click();
  await expect(recent).toBeHidden();
  await page.getByRole('status').filter({ hasText: 'Forgot whisper' }).getByRole('button', { name: 'Undo' }).click();
  await recent.getByRole('button', { name: 'Open pod whisper' }).click();
  const later = await app.waitForWindow(/\/pod\//);
  await expect(field(later, 'publicIp')).toContainText('203.0.113.47');
  await expect(later.getByText('Could not reach the service')).toBeVisible();
  await expect(later.getByText(/What was read at .* stays below/)).toBeVisible();

  // The values were sealed with the last look.
  await holdTimers(later, REVEALED_MS);
  await later.getByRole('button', { name: 'Reveal HF_TOKEN' }).click();
  await expect(later.getByText('hf-secret-0001')).toBeVisible();

  await page.evaluate(async (key) => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const [connection] = listed?.ok === true ? listed.value : [];
    if (connection === undefined) throw new Error('There is no connection.');
    const { id, name, baseUrl, authorization, endpoints } = connection;
    await window.bridge?.call('connection:save', {
      draft: { id, name, baseUrl, restUrl: '', authorization, endpoints },
      key,
    });
  }, TEST_API_KEY);
  await expect(later.getByText('This connection has no REST URL')).toBeVisible();
  await expect(field(later, 'publicIp')).toContainText('203.0.113.47');
  await later.getByRole('button', { name: 'Add the REST URL' }).click();
  await expect(later.getByRole('dialog', { name: 'Settings' }).getByLabel('REST URL')).toBeVisible();
});
