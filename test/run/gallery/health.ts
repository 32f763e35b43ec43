import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { openHistory } from '../../../src-main/history/open-history.ts';
import type { Health } from '../../../src-preload/health.ts';
import { connectTo } from '../../e2e/fixtures.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { shoot, shootThemes } from './stage.ts';
import type { Stage } from './stage.ts';

const minute = 60_000;
/** Before the last hour, one reading a minute is kept for this long. */
const keptForMs = 20 * 60 * minute;
/** Kept until now, with a part of the hour without samples. */
const sampledForMs = 62 * minute;
const silence = { fromMs: 46 * minute, toMs: 39 * minute };
const waiting = 12;

/**
 * The health pane: full, with findings, as a table, empty, failed, paused, offline, all endpoints, and in its own
 * window.
 */
export async function health({ launch, service, dataDir }: Stage): Promise<void> {
  const first = await launch();
  await connectTo(first.page, service);
  await openHealth(first.page);
  await first.page.getByRole('region', { name: 'Endpoints' }).waitFor();
  const connection = await first.page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    if (listed?.ok !== true || listed.value[0] === undefined) throw new Error('There is no connection.');
    return { id: listed.value[0].id, baseUrl: listed.value[0].baseUrl };
  });
  await first.app.close();
  await seed(dataDir, connection);

  const { app, page } = await launch();
  await page.getByRole('button', { name: 'New job' }).first().waitFor();
  await submitMany(page, connection.id, waiting);
  await openHealth(page);
  const pane = page.getByRole('region', { name: 'Health', exact: true });
  await pane.getByRole('button', { name: 'mock', exact: true }).click();
  await expect(pane.getByRole('group', { name: 'In queue' })).toContainText(String(waiting - 3), { timeout: 30_000 });
  await pane
    .getByRole('region', { name: 'Diagnosis' })
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined);
  await shoot(page, 'health');
  const chart = pane.getByRole('slider', { name: /Jobs and workers/ });
  await chart.focus();
  await page.keyboard.press('End');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowLeft');
  await shoot(page, 'health-crosshair');
  await page.keyboard.press('Escape');
  await pane.getByRole('button', { name: 'Show as table' }).click();
  await shoot(page, 'health-table');
  await pane.getByRole('button', { name: 'Show as charts' }).click();
  for (const name of ['15 min', '24 h', '7 d']) {
    await pane.getByRole('radio', { name }).click();
    await shootThemes(page, `health-${name.replace(' ', '')}`);
  }
  await pane.getByRole('radio', { name: '1 h', exact: true }).click();
  await scrollDown(page);
  await shoot(page, 'health-below');
  await chooseEndpoint(page, 'All endpoints');
  await pane.getByRole('group', { name: 'Totals' }).waitFor();
  await shoot(page, 'health-all');

  await chooseEndpoint(page, 'mock');
  await pane.getByRole('button', { name: 'Open in its own window' }).click();
  const own = await app.waitForWindow(/\/health\//);
  await own.getByRole('group', { name: 'In queue' }).waitFor();
  for (const size of [
    { width: 1180, height: 820 },
    { width: 800, height: 600 },
  ]) {
    await own.setViewportSize(size);
    await shootThemes(own, `health-window-${size.width}`);
  }
  await own.close();
  await chooseEndpoint(page, 'All endpoints');
  await pane.getByRole('button', { name: 'Open in its own window' }).click();
  const all = await app.waitForWindow(/\/health\/[^/]+$/);
  await all.getByRole('group', { name: 'Totals' }).waitFor();
  await all.setViewportSize({ width: 1180, height: 820 });
  await shootThemes(all, 'health-window-all');
  await all.close();
  await chooseEndpoint(page, 'mock');

  await service.goOffline();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor({ timeout: 60_000 });
  await shoot(page, 'health-offline');
  await chooseEndpoint(page, 'All endpoints');
  await shoot(page, 'health-all-offline');
  await service.goOnline();
}

/** An endpoint that was not read yet. */
export async function healthEmpty({ launch, service }: Stage): Promise<void> {
  service.setFault({ operation: 'health', kind: 'status', status: 500 });
  const { page } = await launch();
  await connectTo(page, service);
  await openHealth(page);
  await shoot(page, 'health-all-empty');
  await page
    .getByRole('region', { name: 'Health', exact: true })
    .getByRole('button', { name: 'mock', exact: true })
    .click();
  await page.getByRole('heading', { name: 'Could not read health' }).waitFor();
  await shoot(page, 'health-empty');
}

/** Opens the endpoints' health from the sidebar. */
export async function openHealth(page: Page): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Health/ })
    .click();
  await page.getByRole('region', { name: 'Health', exact: true }).waitFor();
}

async function chooseEndpoint(page: Page, name: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Health', exact: true })
    .getByRole('button', { name: /^Endpoint: / })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function scrollDown(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Delay and execution' }).scrollIntoViewIfNeeded();
}

async function submitMany(page: Page, connectionId: string, count: number): Promise<void> {
  await page.evaluate(
    async ({ id, times }) => {
      for (let number = 1; number <= times; number += 1) {
        const inputText = JSON.stringify({ title: `Judge answer ${number} against rubric v4`, mock_delay: 600_000 });
        await window.bridge?.call('job:submit', { connectionId: id, endpointId: 'mock', operation: 'run', inputText });
      }
    },
    { id: connectionId, times: count },
  );
}

/** An hour of readings of a busy endpoint, and the jobs behind its percentiles. */
async function seed(dataDir: string, connection: { id: string; baseUrl: string }): Promise<void> {
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const nowMs = Date.now();
  for (const [index, endpointId] of ['mock', 'text', 'image', 'echo'].entries()) {
    await Promise.all(readings(endpointId, connection.id, nowMs, index).map((reading) => history.addHealth(reading)));
  }
  const jobs = Array.from({ length: 400 }, (_, number) =>
    aSavedJob({
      number,
      connectionId: connection.id,
      baseUrl: connection.baseUrl,
      endpointId: ['mock', 'text', 'image'][number % 3] ?? 'mock',
      title: `Judge answer ${number}`,
      ageMs: (number % 55) * minute,
    }),
  );
  await history.commit(jobs);
  await history.close();
}

function readings(endpointId: string, connectionId: string, nowMs: number, index: number): Health[] {
  const kept: Health[] = [];
  const beginsMs = index === 0 ? keptForMs : sampledForMs;
  for (let ageMs = beginsMs; ageMs > sampledForMs; ageMs -= minute) {
    const wave = (Math.sin(ageMs / 3_100_000) + Math.sin(ageMs / 710_000) + 1) / 2;
    const hoursAgo = ageMs / 60 / minute;
    if (hoursAgo > 5 && hoursAgo < 9) continue;
    const running = Math.max(0, Math.min(3, Math.round(1.5 + wave)));
    kept.push({
      connectionId,
      endpointId,
      atMs: nowMs - ageMs,
      jobs: {
        completed: 47_899 - Math.round(hoursAgo * 190),
        failed: 84 - Math.round(hoursAgo * 3),
        retried: 39 - Math.round(hoursAgo),
        inQueue: Math.max(0, Math.round(wave * 6 - 2)),
        inProgress: running,
      },
      workers: { running, idle: 3 - running },
      extra: {},
    });
  }
  const jobs = {
    completed: [47_899, 8_110, 1_204, 310][index] ?? 0,
    failed: 84 - index * 20,
    inProgress: 0,
    inQueue: 0,
    retried: 39 - index * 9,
  };
  let inQueue = 1;
  for (let ageMs = sampledForMs; ageMs > 15_000; ageMs -= 5_000) {
    const step = Math.round((sampledForMs - ageMs) / 5_000);
    const wave = (Math.sin(step / 31 + index) + Math.sin(step / 7.3 + index * 2)) / 2;
    const isBusy = index === 0 && ageMs < 9 * minute;
    if (index > 0) inQueue = Math.max(0, Math.round(wave * 2 - index));
    else if (isBusy) inQueue += step % 12 === 0 ? 1 : 0;
    else inQueue = Math.max(0, Math.round(2 + wave * 3.4));
    const running = Math.max(0, Math.min(3, isBusy ? 3 : Math.round(2 + wave * 1.5)) - Math.min(index, 2));
    if (step % 11 === 0) jobs.completed += 3 - Math.min(index, 2);
    if (step % 190 === 60) jobs.failed += 1;
    if (step % 290 === 200) jobs.retried += 1;
    if (ageMs < silence.fromMs && ageMs > silence.toMs) continue;
    kept.push({
      connectionId,
      endpointId,
      atMs: nowMs - ageMs,
      jobs: { ...jobs, inQueue, inProgress: running },
      workers: { running, idle: 3 - running - (isBusy ? 0 : step % 400 < 120 ? 1 : 0) },
      extra: {},
    });
  }
  return kept;
}
