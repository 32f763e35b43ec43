import { openHistory } from '../../../src-main/history/open-history.ts';
import { documentId, type StoredTemplate } from '../../../src-main/template/template-documents.ts';
import { connectTo } from '../../e2e/fixtures.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { join } from 'node:path';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const errors = [
  'CUDA out of memory. Tried to allocate 5.10 GiB. GPU 0 has 44.5 GiB in total, 0.42 GiB free.',
  'Total pixels must be between 589824 and 2073600.',
  'UnicodeDecodeError at byte 0xff in position 12: invalid continuation byte',
  '403 from PUT https://bucket.example/transcripts/9ce44946/out.json: AccessDenied',
  "KeyError: 'prompt'",
];

const templateAt = (connectionId: string) => ({ connectionId, templateId: 'tpl-text' });

/** A template of the endpoint that was updated two days ago. */
function updated(connectionId: string): StoredTemplate {
  const atMs = Date.now() - 2 * 86_400_000;
  return {
    ...templateAt(connectionId),
    current: null,
    history: [{ seq: 2, atMs, source: { kind: 'update-reply' } }],
    uses: [{ endpointId: 'text', podId: 'pod-1', atMs }],
    podIds: ['pod-1'],
    lastUpdate: {
      atMs,
      changed: ['imageName'],
      pinned: [],
      formerSeq: 1,
      outcome: { kind: 'applied', seq: 2, differences: [] },
    },
  };
}

/** Two weeks of jobs, every fourth of them failed by one of a few causes. */
export async function failures({ launch, service, dataDir }: Stage): Promise<void> {
  const { app, page } = await launch();
  await connectTo(page, service);
  const connectionId = await page.evaluate(async () => {
    const listed = await window.bridge?.call('connection:list', undefined);
    return listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
  });
  await app.kill();
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  for (let number = 0; number < 400; number += 1) {
    const isFailed = number % 4 === 1;
    const saved = aSavedJob({
      number: isFailed ? number * 7 + 3 : number * 7,
      connectionId,
      baseUrl: service.baseUrl,
      endpointId: 'text',
      title: `board-call-${number}.wav`,
      ageMs: (number % 14) * (number % 5) * 9_000_000 + number * 60_000,
    });
    const said = errors[Math.floor((number * number) / 7) % errors.length] ?? '';
    const isMemory = said.startsWith('CUDA');
    const inputText = JSON.stringify({ batch_size: isFailed && isMemory ? 24 : 8, beam_size: 5, seed: number });
    await history.commit([
      {
        ...saved,
        job: {
          ...saved.job,
          inputBytes: inputText.length,
          reason: saved.job.status === 'FAILED' ? { kind: 'failed', said } : null,
        },
        submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
      },
    ]);
  }
  await history.putDocument('template', documentId(templateAt(connectionId)), JSON.stringify(updated(connectionId)));
  await history.close();
  const { page: again } = await launch();
  await again.getByRole('button', { name: /^Failures/ }).click();
  const causes = again.getByRole('listbox', { name: 'Causes of failures' });
  await causes.getByRole('option', { name: /KeyError/ }).click();
  // A key acts on the chosen cause as soon as that is shown.
  await again
    .getByRole('region', { name: 'Cause' })
    .getByRole('heading', { name: /KeyError/ })
    .waitFor();
  await again.keyboard.press('m');
  const question = again.getByRole('dialog', { name: 'Mute this cause' });
  await question.getByRole('textbox', { name: 'Reason' }).fill('smoke tests');
  await question.getByRole('button', { name: 'Mute' }).click();
  await causes.getByRole('option').first().click();
  await again.getByRole('region', { name: 'What they have in common' }).waitFor();
  await again.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
  await shoot(again, 'failures');
  await again.getByRole('radio', { name: 'Worker', exact: true }).click();
  await causes.getByRole('group').first().waitFor();
  await shoot(again, 'failures-by-worker');
  await again.getByRole('radio', { name: 'Endpoint', exact: true }).click();
  await shoot(again, 'failures-by-endpoint');
  await again.getByRole('button', { name: 'Grouping rules' }).click();
  await again.getByRole('dialog', { name: 'How failures are grouped' }).waitFor();
  await shoot(again, 'failures-rules');
}
