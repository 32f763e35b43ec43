import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportJobs } from '../../../src-main/engine/export-jobs.ts';
import type { History } from '../../../src-main/history/history.ts';
import { atUsersPlace } from '../../../src-main/whole-file.ts';
import { ok } from '../../../src-preload/failure.ts';
import { aSavedJob } from '../../kit/saved-job.ts';
import { openTestHistory } from '../../kit/threads.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'jobdeck-hung-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A pipe that nobody reads: whoever opens it to write waits, as on a network drive that does not answer. */
function hungFile(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

describe.skipIf(process.platform === 'win32')('a drive that does not answer', () => {
  it('does not keep the history from saving while jobs are exported to it', async () => {
    const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: Date.now });
    const saved = aSavedJob({
      number: 1,
      connectionId: 'main',
      baseUrl: 'http://127.0.0.1:1',
      endpointId: 'echo',
      title: 'saved',
      ageMs: 60_000,
    });
    await history.commit([saved]);
    const place = await mkdtemp(join(folder, 'drive-'));
    const written = Promise.withResolvers<string>();
    const hanging: Pick<History, 'writeExportPage'> = {
      async writeExportPage(page) {
        const [unfinished = ''] = await readdir(place);
        if (page.before === 0) {
          await rm(join(place, unfinished));
          written.resolve(hungFile(join(place, unfinished)));
        }
        return await history.writeExportPage(page);
      },
    };
    const exporting = exportJobs(
      {
        history: hanging,
        historyPath: join(folder, 'history.db'),
        connections: () => Promise.resolve(ok([])),
        costs: () => [],
      },
      {
        source: { kind: 'jobs', keys: [saved.job.key] },
        format: 'ndjson',
        path: join(place, 'jobs.ndjson'),
        title: 'Jobs',
        atMs: 0,
      },
    );
    const pipe = await written.promise;
    await history.putDocument('test', 'while-it-hangs', '{}');
    expect(await history.readDocument('test', 'while-it-hangs')).toBe('{}');
    // It answers again: a pipe that is open for both does not wait.
    const answering = await open(pipe, 'r+');
    await exporting;
    await answering.close();
    expect((await readdir(folder)).filter((name) => name.includes('export'))).toEqual([]);
    await history.close();
  });

  it('does not keep host names from being found, however many files are saved there', async () => {
    const pipes = Array.from({ length: 6 }, (_, number) => hungFile(join(folder, `file-${number}`)));
    const saving = pipes.map((pipe) => atUsersPlace(async () => (await open(pipe, 'r')).close()));
    expect((await lookup('localhost')).address).toMatch(/./);
    for (const pipe of pipes) void open(pipe, 'r+').then((file) => Promise.all(saving).then(() => file.close()));
    await Promise.all(saving);
  });
});
