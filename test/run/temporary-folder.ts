import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Many times the size of two suites' profiles and histories. */
const minFreeBytes = 2 * 1024 ** 3;

/**
 * A folder for what tests write, with `remove` for afterwards. It is in memory if the machine has space there. The
 * history flushes each of its commits, which costs a disk milliseconds and proves nothing in a test: no test cuts the
 * power, and memory also keeps what a killed process wrote.
 */
export function makeTemporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), 'jobdeck-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= minFreeBytes && canRunProgramsIn(readFileSync('/proc/mounts', 'utf8'), memory);
}

/** Whether programs can be run from the file system of this folder. Some tests write one. */
export function canRunProgramsIn(mounts: string, folder: string): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, at]) => at === folder)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
