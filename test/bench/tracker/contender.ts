import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FromContender, Score, Task, ToContender } from './contest.ts';

/** Milliseconds of the clock that the sandbox's log uses. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** Runs `work` on the task that this process receives, and sends its score. */
export function contend(work: (task: Task, submitted: () => void) => Promise<Omit<Score, 'cpuSeconds'>>): void {
  process.once('message', (message: ToContender) => {
    const send = (message: FromContender): void => void process.send?.(message);
    const before = process.cpuUsage();
    void work(message.task, () => send({ kind: 'submitted' })).then((score) => {
      const { user, system } = process.cpuUsage(before);
      send({ kind: 'score', score: { ...score, cpuSeconds: (user + system) / 1e6 } });
    });
  });
}

/** The plainest place for results: one file, a line and an fsync each. */
export function openResults(folder: string): {
  keep(id: string, result: unknown): void;
  savedAtMs: Record<string, number>;
  close(): void;
} {
  const file = openSync(join(folder, 'results.ndjson'), 'a');
  const savedAtMs: Record<string, number> = {};
  return {
    keep(id, result) {
      writeSync(file, `${JSON.stringify(result)}\n`);
      fsyncSync(file);
      savedAtMs[id] = nowMs();
    },
    savedAtMs,
    close: () => closeSync(file),
  };
}
