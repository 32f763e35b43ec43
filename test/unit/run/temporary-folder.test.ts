import { expect, it } from 'vitest';
import { canRunProgramsIn } from '../../run/temporary-folder.ts';

it('is in memory only if programs can run from there', () => {
  const mounts = (options: string): string => `/dev/vda / ext4 rw,noexec 0 0\ntmpfs /dev/shm tmpfs ${options} 0 0\n`;
  expect(canRunProgramsIn(mounts('rw,relatime,size=1k'), '/dev/shm')).toBe(true);
  expect(canRunProgramsIn(mounts('rw,nosuid,noexec,size=1k'), '/dev/shm')).toBe(false);
  expect(canRunProgramsIn('/dev/vda / ext4 rw 0 0\n', '/dev/shm')).toBe(false);
});
