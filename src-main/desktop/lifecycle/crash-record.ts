import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** When main last crashed, remembered over the restart. */
export interface CrashRecord {
  /** Whether that was less than two minutes ago. */
  isRecent(nowMs: number): boolean;
  save(atMs: number): void;
}

const recentMs = 120_000;
const shape = z.object({ atMs: z.number() });

/** The file with the time of the last crash. A file that cannot be read counts as none. */
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
    save(atMs) {
      try {
        writeFileSync(path, JSON.stringify({ atMs }), { mode: 0o600 });
      } catch {
        // Without the file, a second crash restarts Jobdeck again. That is acceptable.
      }
    },
  };
}
