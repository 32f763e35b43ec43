import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wholeOutput } from '../../../src-main/engine/whole-output.ts';
import type { History } from '../../../src-main/history/history.ts';
import { ok } from '../../../src-preload/failure.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { aNewJob } from '../../unit/history/a-database.ts';

let folder: string;
let history: History;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-output-'));
  ({ history } = await openTestHistory({ path: join(folder, 'history.db'), now: Date.now }));
});
afterAll(async () => {
  await history.close();
  await rm(folder, { recursive: true, force: true });
});

/** A job with these bodies of its output, by attempt. */
async function aJobWith(key: string, outputs: readonly string[]): Promise<void> {
  const bodies = outputs.map((text, at) => ({ part: 'output' as const, attempt: at + 1, text }));
  const { job, ...rest } = aNewJob({ key, attempt: Math.max(1, outputs.length) });
  await history.commit([{ ...rest, job, bodies }]);
}

it('an output is what the service sent: JSON unchanged, a string as its text', async () => {
  await aJobWith('k1', ['{"a": [1, 2]}', '"two\\nlines"', '"not closed']);
  expect(await wholeOutput(history, 'k1', 1)).toEqual(ok({ text: '{"a": [1, 2]}', isJson: true }));
  expect(await wholeOutput(history, 'k1', 2)).toEqual(ok({ text: 'two\nlines', isJson: false }));
  expect(await wholeOutput(history, 'k1', null)).toEqual(ok({ text: '"not closed', isJson: true }));
});

it('a stream of any length is the text of its chunks, even if there is a body', async () => {
  await aJobWith('k2', ['["from the service"]']);
  const words = Array.from({ length: 30 }, (_, at) => `${at} ${'word '.repeat(10_000)}`);
  await history.appendChunks(
    'k2',
    1,
    words.map((word) => ({ outputJson: JSON.stringify(word), metricsJson: null })),
    0,
  );
  expect(await wholeOutput(history, 'k2', null)).toEqual(ok({ text: words.join(''), isJson: false }));
});

it('without an output it is empty, and without the job a failure', async () => {
  await aJobWith('k3', []);
  expect(await wholeOutput(history, 'k3', null)).toEqual(ok({ text: '', isJson: false }));
  expect(await wholeOutput(history, 'nobody', null)).toMatchObject({ ok: false, failure: { kind: 'absent' } });
});
