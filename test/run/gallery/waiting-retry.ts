import { expect } from '@playwright/test';
import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** A retry that was requested while the service was away. */
export async function waitingRetry({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await submitJob(page, {
    endpoint: 'mock',
    input: {
      title: 'Fails, and is to be tried again',
      mock_stream: ['part ', 'of it'],
      mock_error: 'The model could not be loaded: shard 3 of 8 is missing.',
    },
  });
  await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 20_000 });
  await service.goOffline();
  await jobPane(page).getByRole('button', { name: 'Retry' }).first().click();
  await jobPane(page).getByRole('note').filter({ hasText: 'Will be retried' }).waitFor();
  await shoot(page, 'retry-waits');
  await jobPane(page).getByRole('tab', { name: 'Metrics' }).click();
  await shoot(page, 'retry-waits-metrics');
}
