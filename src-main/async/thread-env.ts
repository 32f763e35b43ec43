import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment of a thread: that of this process, with the folder for compiled code (start.ts). The folder is not in
 * the environment of the process itself, which every program that Jobdeck opens inherits: those written for Node would
 * keep their own compiled code in Jobdeck's data folder.
 */
export function threadEnv(): NodeJS.ProcessEnv {
  // A folder in it, named by version and processor.
  const used = getCompileCacheDir();
  return used === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(used) };
}
