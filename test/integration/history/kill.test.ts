import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHistory } from '../../../src-main/history/open-history.ts';
import { emptyFilter } from '../../../src-preload/history.ts';

type Promised = { key: string; seqs: number[] } | { key: string; status: string; output: string };

/** Lets a writer run until it has promised `enough` changes, kills it there, and answers what it promised. */
async function writeAndKill(path: string, round: number, enough: number): Promise<Promised[]> {
  const writer = fork(new URL('./writer.ts', import.meta.url), [path, String(round)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const promised: Promised[] = [];
  writer.on('message', (message: Promised) => {
    promised.push(message);
    if (promised.length === enough) writer.kill('SIGKILL');
  });
  const [, signal]: unknown[] = await once(writer, 'exit');
  expect(signal).toBe('SIGKILL');
  return promised;
}

describe('a killed process', () => {
  it('loses nothing that was committed, in five rounds on one file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobdeck-kill-'));
    const path = join(folder, 'history.db');
    try {
      for (let round = 0; round < 5; round += 1) {
        const promised = await writeAndKill(path, round, 20 + Math.floor(Math.random() * 250));
        const { history, setAside } = await openHistory({ path, now: Date.now });
        expect(setAside).toBeNull();
        for (const one of promised) {
          if ('seqs' in one) {
            const [first = 0] = one.seqs;
            const kept = await history.chunks(one.key, 1, first, one.seqs.length);
            expect(kept.map(({ seq }) => seq)).toEqual(one.seqs);
            expect(kept.every(({ outputJson }) => outputJson.startsWith(`"${one.key}:`))).toBe(true);
          } else {
            expect((await history.get(one.key))?.job.status).toBe(one.status);
            expect((await history.body(one.key, 'output', null, null))?.text).toBe(one.output);
          }
        }
        const key = `r${round}-lane1`;
        const chunks = await history.chunks(key, 1, 0, 100_000);
        expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, at) => at));
        expect((await history.get(key))?.job.chunkCount).toBe(chunks.length);
        const lastWord = /word\d+/.exec(chunks.at(-1)?.outputJson ?? '')?.[0] ?? '';
        expect(
          (await history.list({ ...emptyFilter, text: `${lastWord} ` }, null, 500)).jobs.map((job) => job.key),
        ).toContain(key);
        await history.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
