import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../kit/electron-binary.ts';
import type { TextFile } from './citations.ts';

const patterns = ['{src-*,test}/**/*.{ts,tsx,mjs,css,md}', 'docs/**/*.md', '*.md', '.oxlintrc.json'];

/** Every text of the repository that cites something or is cited: sources, tests, documents, the linter's rules. */
export function readTexts(): TextFile[] {
  return globSync(patterns, { cwd: projectDir }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(projectDir, path), 'utf8'),
  }));
}
