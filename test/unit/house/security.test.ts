import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string[] => readFileSync(new URL(path, root), 'utf8').split('\n');
const lines = read('docs/security.md');
const whatWouldBreak = read('docs/decisions/081-what-would-break-and-what-shows-it.md');

/** The tests that a row names, as file and name. */
function testsOf(line: string): { file: string; name: string }[] {
  const cell = line.slice(0, -' |'.length).split(' | ').at(-1) ?? '';
  return cell.split(' · ').map((one) => {
    const [, file = '', name = ''] = /^`(test\/[^`]+)`: (\S.*)$/.exec(one) ?? [];
    return { file, name };
  });
}

/** Whether a source declares a test of this name, and one that runs. */
function declares(source: string, name: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\s*(?:it|test)(?:\\.each\\([\\s\\S]{0,2000}?\\))?\\(\\s*(['"\`])${escaped}\\1`, 'm').test(
    source,
  );
}

const rowsOf = (page: string[]): string[] =>
  page.filter((line) => /^\| (?!---)/.test(line) && !line.endsWith('Held by |'));
const rows = rowsOf(lines);

it('main starts no crash reporter: a dump would contain memory, including keys', () => {
  const sources = globSync('src-{main,preload}/**/*.ts', { cwd: root });
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((file) => read(file).some((line) => line.includes('crashReporter')))).toEqual([]);
});

describe('docs/security.md', () => {
  it('has all twenty points of Electron’s checklist', () => {
    const points = rows.map((line) => /^\| (\d+) \|/.exec(line)?.[1]).filter((point) => point !== undefined);
    expect(points.map(Number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it.each([...rows, ...rowsOf(whatWouldBreak)])('names tests that exist and run: %s', (line) => {
    for (const { file, name } of testsOf(line)) {
      const at = new URL(file, root);
      expect([file, file !== '' && existsSync(at)]).toEqual([file, true]);
      expect([name, declares(readFileSync(at, 'utf8'), name)]).toEqual([name, true]);
    }
  });

  it('distinguishes a test from its name in a comment, and from a skipped one', () => {
    expect(declares("it('holds', () => {});", 'holds')).toBe(true);
    expect(declares("  it.each([\n  1,\n])(\n  'holds',\n  () => {});", 'holds')).toBe(true);
    expect(declares("// it('holds')", 'holds')).toBe(false);
    expect(declares("it.skip('holds', () => {});", 'holds')).toBe(false);
    expect(declares("it('holds more', () => {});", 'holds')).toBe(false);
  });
});
