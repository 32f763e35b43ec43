import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Visitor, parseSync } from 'vite';

/** A source file as far as the measures of the house need it. */
export interface SourceFile {
  /** From the project's folder, with slashes. */
  path: string;
  lines: string[];
  /** Paths of the project's own files that it imports, those of types alone included. */
  imports: string[];
  /** Its functions, those inside others included, each with the lines from its first to its last. */
  functions: { line: number; lineCount: number }[];
  /** Lines of all its interfaces. */
  interfaceLines: number;
}

/**
 * Reads and parses every TypeScript file under these folders of the project; without declaration files and fixtures.
 */
export async function readSources(projectDir: string, folders: readonly string[]): Promise<SourceFile[]> {
  const lists = await Promise.all(
    folders.map((folder) => readdir(join(projectDir, folder), { recursive: true, withFileTypes: true })),
  );
  const paths = lists
    .flat()
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(projectDir, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('/fixture/'));
  return paths.toSorted().map((path) => parseSource(path, readFileSync(join(projectDir, path), 'utf8')));
}

/** One file, from its text. */
export function parseSource(path: string, text: string): SourceFile {
  const lineOf = lineIndex(text);
  const functions: SourceFile['functions'] = [];
  let interfaceLines = 0;
  const linesOf = ({ start, end }: { start: number; end: number }): number => lineOf(end - 1) - lineOf(start) + 1;
  const addFunction = (node: { start: number; end: number }): void =>
    void functions.push({ line: lineOf(node.start), lineCount: linesOf(node) });
  const { program, module } = parseSync(path, text);
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TSInterfaceDeclaration: (node) => {
      interfaceLines += linesOf(node);
    },
  }).visit(program);
  const requested = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
  const imports = requested.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name));
  return {
    path,
    lines: text.replace(/\n$/, '').split('\n'),
    imports: [...new Set(imports)],
    functions,
    interfaceLines,
  };
}

/** The number of the line, from 1, that a place in the text stands in. */
function lineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
