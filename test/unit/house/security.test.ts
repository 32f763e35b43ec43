import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const lines = readFileSync(new URL('docs/security.md', root), 'utf8').split('\n');

/** The tests that a row names, as file and name. */
function testsOf(line: string): { file: string; name: string } | null {
  const [, file, name] = /\| `(test\/[^`]+)`: (.+) \|$/.exec(line) ?? [];
  return file === undefined || name === undefined ? null : { file, name };
}

const rows = lines.filter((line) => /^\| (?!---)/.test(line) && !line.endsWith('Held by |'));

describe('docs/security.md', () => {
  it('has all twenty points of Electron’s checklist', () => {
    const points = rows.map((line) => /^\| (\d+) \|/.exec(line)?.[1]).filter((point) => point !== undefined);
    expect(points.map(Number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it.each(rows)('names a test that is there: %s', (line) => {
    const named = testsOf(line);
    expect(named).not.toBeNull();
    if (named === null) return;
    const file = new URL(named.file, root);
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(named.name);
  });
});
