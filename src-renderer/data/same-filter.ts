import { replaceEqualDeep } from '@tanstack/react-query';
import type { JobFilter } from '../../src-preload/history.ts';

/** Whether two filters match the same jobs. It costs nothing if they are the same object, as they mostly are. Pure. */
export function isSameFilter(one: JobFilter | null, other: JobFilter | null): boolean {
  return one === other || replaceEqualDeep(one, other) === one;
}
