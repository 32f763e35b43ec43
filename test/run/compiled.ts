import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';

/**
 * From now on every process and thread that this one starts saves V8's compiled code and the stripped TypeScript for
 * the next one. A thread then starts in a third of the time, and a suite starts thousands.
 */
export function keepCompiled(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(projectDir, '.cache', 'compiled');
}
