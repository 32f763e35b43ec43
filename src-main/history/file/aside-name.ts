import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';

/**
 * A free name beside the history's file for what is set aside: its name with the reason and the date in UTC, and a
 * number if that is taken, also by what belongs to a file of that name.
 */
export function asideName(path: string, reason: 'damaged' | 'before-restore' | 'folder', nowMs: number): string {
  const { dir, name, ext } = parse(path);
  const date = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  for (let count = 1; ; count += 1) {
    const aside = join(dir, `${name}.${reason}-${date}${count === 1 ? '' : `-${count}`}${ext}`);
    if (!['', '-wal', '-shm'].some((suffix) => existsSync(aside + suffix))) return aside;
  }
}
