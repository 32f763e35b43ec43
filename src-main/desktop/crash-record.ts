import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** When main last failed, over its own restart. */
export interface CrashRecord {
  /** Whether that is less than two minutes ago. */
  isRecent(nowMs: number): boolean;
  keep(atMs: number): void;
}

const recentMs = 120_000;
const shape = z.object({ atMs: z.number() });

/** The file that keeps when the app last crashed. A file that cannot be read counts as none. */
export function openCrashRecord(path: string): CrashRecord {
  return {
    isRecent(nowMs) {
      try {
        const { atMs } = shape.parse(JSON.parse(readFileSync(path, 'utf8')));
        return nowMs - atMs >= 0 && nowMs - atMs < recentMs;
      } catch {
        return false;
      }
    },
    keep(atMs) {
      try {
        writeFileSync(path, JSON.stringify({ atMs }), { mode: 0o600 });
      } catch {
        // Without it a second failure restarts Jobdeck once more.
      }
    },
  };
}

/** What is said after such a restart, with the path of the log. */
export const restartedNotice = {
  id: 'restarted',
  tone: 'warning' as const,
  title: 'Jobdeck restarted after an internal error',
  text: 'Everything that was saved is still here. Jobdeck is checking all active jobs again; the log has the error.',
};
