import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { launchApp, type LaunchedApp } from '../kit/launch.ts';
import { findJob, openSandbox, submitJob, wordOnlyIn } from '../kit/person.ts';

const prompt = 'Write an incident review of the heliotrope outage';

export interface TourRecord {
  runtime: 'electron' | 'stand-in';
  job_id: string;
  status: string;
  chunks: number;
  notification: string;
  /** A word of the output that is not in its title. */
  searched_word: string;
  found_offline: boolean;
  output_beginning: string;
  screenshots: string[];
}

/**
 * The main job as a newcomer does it, on the real app and the real sandbox over HTTP: first run, sandbox, a streaming
 * job, its notification, the app closed and opened again with the service gone, and the job found by a word in it.
 * Leaves `tour.json` and screenshots in `outDir`. Throws if a step fails.
 */
export async function runTour({ outDir }: { outDir: string }): Promise<TourRecord> {
  await mkdir(outDir, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'jobdeck-tour-'));
  const screenshots: string[] = [];
  const apps: LaunchedApp[] = [];
  const launch = async (env: Record<string, string> = {}): Promise<LaunchedApp> => {
    const app = await launchApp({ dataDir, env });
    apps.push(app);
    return app;
  };
  const shoot = async (page: Page, name: string): Promise<void> => {
    const file = `${String(screenshots.length + 1).padStart(2, '0')}-${name}.png`;
    await page.screenshot({ path: join(outDir, file) });
    screenshots.push(file);
  };

  try {
    const first = await launch();
    const page = await first.mainWindow();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('button', { name: 'Open the sandbox' })).toBeVisible();
    await shoot(page, 'first-run');

    await openSandbox(page);
    await expect(page.getByText('No jobs yet')).toBeVisible();
    await shoot(page, 'empty');

    await submitJob(page, {
      endpoint: 'text',
      input: { prompt, max_tokens: 160 },
      beforeSubmit: () => shoot(page, 'composer'),
    });
    const detail = page.getByRole('region', { name: 'Job' });
    await expect(detail.getByText(/in (?:[6-9]|\d{2,}) chunks/)).toBeVisible({ timeout: 60_000 });
    // The desktop notifies only of jobs that the user does not have in front of them, and this one may end soon.
    await first.leave();
    await shoot(page, 'streaming');
    await page.emulateMedia({ colorScheme: 'light' });
    await shoot(page, 'streaming-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(detail.getByText('Completed').first()).toBeVisible({ timeout: 60_000 });
    await shoot(page, 'completed');
    await expect.poll(async () => (await first.notifications()).length, { timeout: 15_000 }).toBeGreaterThan(0);
    const notification = (await first.notifications())[0]?.title ?? '';
    const output = await detail.getByRole('tabpanel', { name: 'Output' }).innerText();
    const kept = { ...(await readNewestJob(page)), word: wordOnlyIn(output, prompt) };
    await first.close();

    const second = await launch({ JOBDECK_SANDBOX: 'off' });
    const again = await second.mainWindow();
    await again.setViewportSize({ width: 1440, height: 900 });
    const row = await findJob(again, kept.word);
    await row.click();
    await expect(again.getByRole('tabpanel', { name: 'Output' })).toContainText(kept.outputBeginning, {
      timeout: 15_000,
    });
    await shoot(again, 'found-offline');
    const found = await readNewestJob(again);
    await second.close();

    const record: TourRecord = {
      runtime: first.kind,
      job_id: found.jobId,
      status: found.status,
      chunks: found.chunkCount,
      notification,
      searched_word: kept.word,
      found_offline: found.jobId === kept.jobId && found.chunkCount === kept.chunkCount,
      output_beginning: kept.outputBeginning,
      screenshots,
    };
    await writeFile(join(outDir, 'tour.json'), `${JSON.stringify(record, null, 2)}\n`);
    return record;
  } finally {
    // After a failed step the apps still run, and write.
    for (const app of apps) await app.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Reads the newest job through the same bridge that the window uses. */
async function readNewestJob(
  page: Page,
): Promise<{ jobId: string; status: string; chunkCount: number; outputBeginning: string }> {
  return page.evaluate(async () => {
    const filter = {
      view: 'all' as const,
      connectionId: null,
      endpointId: null,
      statuses: [],
      tags: [],
      notTags: [],
      sinceMs: null,
      text: '',
    };
    const listed = await window.bridge?.call('job:list', { filter, beforeKey: null, limit: 1 });
    const job = listed?.ok === true ? listed.value.jobs[0] : undefined;
    if (job === undefined) throw new Error('There is no saved job');
    const heading =
      document.querySelector('[role="tabpanel"] h1, [role="tabpanel"] h2, [role="tabpanel"] h3, [role="tabpanel"] p')
        ?.textContent ?? '';
    return {
      jobId: job.jobId ?? '',
      status: job.status ?? '',
      chunkCount: job.chunkCount,
      outputBeginning: heading.slice(0, 60),
    };
  });
}
