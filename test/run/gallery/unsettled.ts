import type { Page } from '@playwright/test';
import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const note = (page: Page, text: string) => jobPane(page).getByRole('note').filter({ hasText: text });

/**
 * Open questions of a job: the service does not know it right now, its stream is still being fetched, its reply is too
 * large.
 */
export async function unsettled({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  service.setFault({ operation: 'stream', kind: 'status', status: 503 });
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'Post-incident review of 4182 from 61 pages of logs',
      mock_delay: 300,
      mock_stream: ['part ', 'of it'],
    },
  });
  await note(page, 'still being fetched').waitFor({ timeout: 60_000 });
  await shoot(page, 'stream-pending');
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'board-call.wav, 2:08:44, en, beam 5, batch 24',
      mock_delay: 300,
      mock_stream: ['part '],
      mock_error: 'CUDA out of memory',
    },
  });
  await note(page, 'still being fetched').waitFor({ timeout: 60_000 });
  await shoot(page, 'stream-pending-failed');

  service.setFault(null);
  await submitJob(page, {
    endpoint: 'mock',
    input: { title: 'Rewrite 12 release notes in plain language', mock_delay: 120_000 },
  });
  await jobPane(page).getByText('In progress').first().waitFor({ timeout: 20_000 });
  service.setFault({ operation: 'status', kind: 'status', status: 404 });
  await note(page, 'does not know this job').waitFor({ timeout: 30_000 });
  await shoot(page, 'not-known');
  await jobPane(page).getByText('Gone from server').first().waitFor({ timeout: 120_000 });
  await shoot(page, 'gone');
  await jobPane(page).getByRole('button', { name: 'Check now' }).click();
  await note(page, 'Checked just now').waitFor({ timeout: 20_000 });
  await shoot(page, 'gone-checked');

  service.setFault({ operation: 'status', endpointId: 'echo', kind: 'huge' });
  await submitJob(page, { endpoint: 'echo', input: { title: 'Embedding dump, 4,000,000 vectors' } });
  await note(page, 'too large to read').waitFor({ timeout: 60_000 });
  await shoot(page, 'too-large');
}

/** Operations that the service refuses to the key, and a key that it refuses completely. */
export async function refused({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, {
    endpoint: 'mock',
    input: { title: 'town-hall-2025-11-19.m4a, 1:12:08, en', mock_delay: 600_000 },
  });
  await jobPane(page).getByText('In progress').first().waitFor({ timeout: 20_000 });
  service.setFault({ operation: 'cancel', kind: 'status', status: 403 });
  await jobPane(page).getByRole('button', { name: 'Cancel job' }).click();
  const banner = page.getByRole('status').filter({ hasText: /operations? (?:is|are) refused/ });
  await banner.waitFor({ timeout: 30_000 });
  await shoot(page, 'refused-cancel');
  service.setFault({ operation: 'status', endpointId: 'mock', kind: 'status', status: 403 });
  await banner
    .filter({ hasText: 'status on mock' })
    .or(banner.filter({ hasText: 'cancel and status' }))
    .waitFor({ timeout: 60_000 });
  await banner.getByRole('button', { name: 'Show the reply' }).click();
  await shoot(page, 'refused-status');
  service.setFault({ operation: 'status', kind: 'status', status: 429, retryAfterS: 9 });
  const slowed = page.getByRole('status').filter({ hasText: 'asked for fewer requests' });
  await slowed.getByRole('button', { name: 'Details' }).click({ timeout: 120_000 });
  await shoot(page, 'rate-limited');
  service.setFault({ kind: 'status', status: 401 });
  await page.getByRole('alert').filter({ hasText: 'The service refused this key (401)' }).waitFor({ timeout: 120_000 });
  await shoot(page, 'refused-key');
}
