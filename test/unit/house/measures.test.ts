import { describe, expect, it } from 'vitest';
import { circles, importsOf, mutualPairs } from '../../run/house/import-graph.ts';
import { measureHouse } from '../../run/house/measures.ts';
import { parseSource } from '../../run/house/source-file.ts';

describe('the measures of the house', () => {
  it('find every import of a file, of types, of re-exports and of what comes later', () => {
    const text = `
      import type { A } from './a.ts';
      import { z } from 'zod';
      export * from '../b.ts';
      const later = () => import('./sub/c.tsx');
    `;
    expect(parseSource('src-main/job/file.ts', text).imports).toEqual([
      'src-main/job/a.ts',
      'src-main/b.ts',
      'src-main/job/sub/c.tsx',
    ]);
  });

  it('measure a function from its first line to its last, with those inside it', () => {
    const text = [
      'function outer() {',
      '  const inner = () => {',
      '    return 1;',
      '  };',
      '  return inner;',
      '}',
      'interface Shape {',
      '  side: number;',
      '}',
    ].join('\n');
    const { functions, interfaceLines, lines } = parseSource('file.ts', text);
    expect(functions).toEqual([
      { line: 1, lineCount: 6 },
      { line: 2, lineCount: 3 },
    ]);
    expect([interfaceLines, lines.length]).toEqual([3, 9]);
  });

  it('find circles once, over any number of files', () => {
    const imports = importsOf([
      { path: 'a', imports: ['b'] },
      { path: 'b', imports: ['c'] },
      { path: 'c', imports: ['a', 'd'] },
      { path: 'd', imports: ['elsewhere'] },
    ]);
    expect(circles(imports)).toEqual([['a', 'b', 'c']]);
  });

  it('find folders side by side that import each other, and name the rarer direction', () => {
    const imports = importsOf([
      { path: 'src/one/a.ts', imports: ['src/two/b.ts'] },
      { path: 'src/one/sub/c.ts', imports: ['src/two/b.ts', 'src/one/a.ts'] },
      { path: 'src/two/b.ts', imports: [] },
      { path: 'src/two/d.ts', imports: ['src/one/sub/c.ts', 'src/top.ts'] },
      { path: 'src/top.ts', imports: ['src/one/a.ts'] },
    ]);
    expect(mutualPairs(imports)).toEqual([
      { folders: ['src/one', 'src/two'], imports: ['src/two/d.ts -> src/one/sub/c.ts'] },
    ]);
  });

  it('find public functions without a docstring, and no private one', () => {
    const text = [
      '/** Adds. */',
      'export function add() {}',
      '',
      '// Takes away.',
      'export function subtract() {}',
      'export const divide = () => 1;',
      'export const limit = 3;',
      'function inner() {}',
      '/** Counts. */',
      'export class Counter {',
      '  constructor() {}',
      '  /** One more. */',
      '  next() {}',
      '  reset() {}',
      '  #step() {}',
      '  private old() {}',
      '}',
    ].join('\n');
    expect(parseSource('file.ts', text).undocumented).toEqual([
      { line: 5, name: 'subtract' },
      { line: 6, name: 'divide' },
      { line: 14, name: 'Counter.reset' },
    ]);
  });

  it('say what is over a limit and where', () => {
    const body = Array.from({ length: 121 }, () => '  work();');
    const long = parseSource(
      'src-main/long.ts',
      ['function run() {', ...body, `  ${'x'.repeat(130)};`, '}'].join('\n'),
    );
    const measures = measureHouse([long]);
    const placesOf = (name: string) => measures.find((measure) => measure.name.startsWith(name))?.places;
    expect(placesOf('functions over')).toEqual(['src-main/long.ts:1: 124']);
    expect(placesOf('longest function')).toEqual(['src-main/long.ts:1']);
    expect(placesOf('imports and folders')).toContain('src-main/long.ts: not in the table');
    expect(placesOf('lines over')).toEqual(['src-main/long.ts:123 (133)']);
    expect(placesOf('files over')).toEqual([]);
  });
});
