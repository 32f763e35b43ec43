import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openHistory } from '../../src-main/history/open-history.ts';
import { aSavedJob } from './saved-job.ts';

const chunkChars = 4_096;

/**
 * Saves a finished job with `text` as its stream, as if it had run here a minute ago, under the connection that the
 * page shows. The app is closed meanwhile. Returns the number of its chunks.
 */
export async function saveStream({
  page,
  dataDir,
  closeApp,
  title,
  text,
}: {
  page: Page;
  dataDir: string;
  closeApp: () => Promise<void>;
  title: string;
  text: string;
}): Promise<number> {
  const { id: connectionId, baseUrl } = await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    const connection = listed?.ok === true ? listed.value[0] : undefined;
    if (connection === undefined) throw new Error('There is no connection.');
    return { id: connection.id, baseUrl: connection.baseUrl };
  });
  await closeApp();
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const saved = aSavedJob({ number: 1, connectionId, baseUrl, endpointId: 'text', title, ageMs: 60_000 });
  await history.commit([{ ...saved, bodies: [], job: { ...saved.job, outputBytes: 0 } }]);
  const chunks = Array.from({ length: Math.ceil(text.length / chunkChars) }, (_, at) => ({
    outputJson: JSON.stringify({ text: text.slice(at * chunkChars, (at + 1) * chunkChars) }),
    metricsJson: null,
  }));
  for (let at = 0; at < chunks.length; at += 500)
    await history.appendChunks(saved.job.key, 1, chunks.slice(at, at + 500), Date.now());
  await history.close();
  return chunks.length;
}
