import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { columnsHolding, filesHolding, holds } from '../../kit/secrets-in-files.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { openTestHistory } from '../../kit/threads.ts';

/** What looks for secrets finds one that is there: otherwise its silence would say nothing. */
const secret = 'canaryPlantedQ7xW93bZT+/"%20ü';

describe('the search for a secret', () => {
  it.each([
    ['unchanged', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify({ at: text })],
    ['in JSON within JSON', (text: string) => JSON.stringify({ at: JSON.stringify({ at: text }) })],
    ['in an address', (text: string) => `https://example.test/?key=${encodeURIComponent(text)}`],
    ['in base64', (text: string) => Buffer.from(`user:${text}!`).toString('base64')],
    ['in base64 for addresses', (text: string) => Buffer.from(`us:${text}!`).toString('base64url')],
    ['in hexadecimal', (text: string) => Buffer.from(text).toString('hex')],
  ])('finds it %s', (_form, write) => {
    expect(holds(`before ${write(secret)} after`, secret)).toBe(true);
    expect(holds(`before ${write('another text altogether')} after`, secret)).toBe(false);
  });

  it('finds it in UTF-16, in a file of a folder, and in the compressed and indexed parts of a history', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobdeck-traces-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(holds(Buffer.from(secret, 'utf16le'), secret)).toBe(true);
    writeFileSync(join(folder, 'clean.txt'), 'nothing here');
    writeFileSync(join(folder, 'found.txt'), `key=${secret}`);
    expect(await filesHolding(folder, [secret])).toEqual(['found.txt']);

    const path = join(folder, 'history.db');
    const { history } = await openTestHistory({ path, now: Date.now });
    const job = aSavedJob({
      connectionId: 'c',
      baseUrl: 'http://127.0.0.1:9',
      endpointId: 'echo',
      number: 1,
      title: 'Saved',
      ageMs: 0,
    });
    const inputText = JSON.stringify({ filler: 'leaf '.repeat(1_000), secret });
    await history.commit([
      { ...job, submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
    ]);
    await history.close();
    expect(columnsHolding(path, [secret])).toContain('bodies.data');
    expect(columnsHolding(path, ['absentFromEverythingHere'])).toEqual([]);
  });
});
