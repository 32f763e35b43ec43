import { statSync } from 'node:fs';

/** The permissions of a file or folder. Windows has no such thing, and Node none of its own: there they are `wanted`. */
export function modeOf(path: string, wanted: number): number {
  return process.platform === 'win32' ? wanted : statSync(path).mode & 0o777;
}
