import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const projectDir = resolve(import.meta.dirname, '..', '..');

/** The path of the real Electron program. Null if only its npm package is installed. */
export function findElectron(): string | null {
  const packageDir = join(projectDir, 'node_modules', 'electron');
  try {
    const name = readFileSync(join(packageDir, 'path.txt'), 'utf8').trim();
    const path = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(packageDir, 'dist'), name);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** A Node that runs TypeScript files: this one if it is new enough, else the project's own. */
export function findNode(): string {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 24) return process.execPath;
  return join(projectDir, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}
