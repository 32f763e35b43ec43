import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';
import { dialogSurfaces, surfaces } from '../../kit/surfaces.ts';

const renderer = join(projectDir, 'src-renderer');

/** Whether a file draws a dialog or a sheet: with the parts of `design/dialog.tsx`, or of Base UI. */
function drawsDialog(path: string): boolean {
  const source = readFileSync(join(renderer, path), 'utf8');
  return /from '(?:\.\.\/)+design\/dialog\.tsx'/.test(source) || /from '@base-ui\/react\/dialog'/.test(source);
}

describe('the surfaces for axe (test/kit/surfaces.ts)', () => {
  it('list every file that draws a dialog', () => {
    const drawing = globSync('**/*.tsx', { cwd: renderer })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path !== 'design/dialog.tsx' && drawsDialog(path));
    expect(drawing.length).toBeGreaterThan(20);
    expect(drawing.toSorted()).toEqual(Object.keys(dialogSurfaces).toSorted());
  });

  it('have a run in a spec each', () => {
    const specs = globSync('test/e2e/*.spec.ts', { cwd: projectDir })
      .map((path) => readFileSync(join(projectDir, path), 'utf8'))
      .join('\n');
    // Named in the call, or beside what leads to it: `['Network', 'settings: network']`.
    const calls = specs.matchAll(/(?:\b(?:clean|faults)\((?:[\w.]+, )*|\['[^']+', )'([^']+)'/g);
    const visited = new Set([...calls].map(([, surface]) => surface));
    expect(surfaces.filter((surface) => !visited.has(surface))).toEqual([]);
  });
});
