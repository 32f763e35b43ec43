import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { runProgram, scriptOf } from './program.ts';

const sources = ['src-main', 'src-preload', 'src-renderer', 'electron.vite.config.ts', 'package.json'];
const built = ['out/main/main.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];

/**
 * Builds the app if it is not built or a source is newer. Errors: rejects with the builder's message if it does not
 * build.
 */
export async function buildWhereNeeded(say: (line: string) => void): Promise<void> {
  const oldest = Math.min(...built.map((path) => changedMs(join(projectDir, path))));
  const newest = Math.max(...sources.map((path) => newestMs(join(projectDir, path))));
  if (oldest > newest) return;
  say('Building the app.');
  const { code, output } = await runProgram(process.execPath, [scriptOf('electron-vite'), 'build'], { isQuiet: true });
  if (code !== 0) throw new Error(`The app does not build.\n${output.trim()}`);
}

function changedMs(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function newestMs(path: string): number {
  try {
    return Math.max(
      ...readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => changedMs(join(entry.parentPath, entry.name))),
    );
  } catch {
    return changedMs(path);
  }
}
