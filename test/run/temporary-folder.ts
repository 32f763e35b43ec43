import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** What two suites with their profiles and histories need many times over. */
const leastFreeBytes = 2 * 1024 ** 3;

/**
 * A folder for what tests write, with `remove` for afterwards; in memory where the machine has room there. The history
 * flushes each of its commits, which costs a disk milliseconds and says nothing in a test: none cuts the power, and
 * what a killed process wrote is there in memory too.
 */
export function makeTemporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), 'jobdeck-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastFreeBytes && canRunProgramsIn(readFileSync('/proc/mounts', 'utf8'), memory);
}

/** Whether what is mounted at this folder lets programs be run from it; some tests write one. */
export function canRunProgramsIn(mounts: string, folder: string): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, at]) => at === folder)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
