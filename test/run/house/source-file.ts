import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Visitor, parseSync } from 'vite';
import { shownWordsIn, type ShownWords } from './shown-words.ts';

type Parsed = ReturnType<typeof parseSync>;
type Program = Parsed['program'];
type Comment = Parsed['comments'][number];

/** The parts of a source file that the measures need. */
export interface SourceFile {
  /** From the project's folder, with slashes. */
  path: string;
  lines: string[];
  /** Paths of the project's own files that it imports, including type imports. */
  imports: string[];
  /** Its functions, including nested ones, each with the number of its lines. */
  functions: { line: number; lineCount: number }[];
  /** Lines of all its interfaces. */
  interfaceLines: number;
  /** Exported functions and public methods of exported classes without a docstring before them. */
  undocumented: { line: number; name: string }[];
  /** Texts for users that are not in a folder `messages/`. Only sources of the windows and of main are searched. */
  misplacedWords: ShownWords[];
}

/** Reads and parses every TypeScript file under these folders of the project, except declaration files and fixtures. */
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

/** Parses one file's text. */
export function parseSource(path: string, text: string): SourceFile {
  const lineOf = lineIndex(text);
  const functions: SourceFile['functions'] = [];
  let interfaceLines = 0;
  const linesOf = ({ start, end }: { start: number; end: number }): number => lineOf(end - 1) - lineOf(start) + 1;
  const addFunction = (node: { start: number; end: number }): void =>
    void functions.push({ line: lineOf(node.start), lineCount: linesOf(node) });
  const { program, module, comments } = parseSync(path, text);
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
    undocumented: publicFunctions(program)
      .filter(({ start }) => !hasDocstring(text, comments, start))
      .map(({ start, name }) => ({ line: lineOf(start), name })),
    misplacedWords: hasWords(path) ? shownWordsIn(path, text) : [],
  };
}

/** Where texts are at their place, or are not for users of Jobdeck, and why. */
const withoutWords: ReadonlyMap<string, string> = new Map([
  ['src-renderer/messages/', 'the words of the windows'],
  ['src-main/messages/', 'the words of main'],
  ['src-main/sandbox/', 'it plays the service and speaks to its callers'],
  ['src-main/redaction/', 'what a log has in place of a value'],
  ['src-main/service/curl.ts', 'code that a user copies'],
  ['src-main/service/job-request-code.ts', 'code that a user copies'],
  ['src-main/service/request-code.ts', 'code that a user copies'],
  ['src-main/desktop/linux/color-scheme.ts', 'it speaks D-Bus'],
  ['src-main/desktop/linux/session-bus.ts', 'it speaks D-Bus'],
]);

function hasWords(path: string): boolean {
  return /^src-(?:renderer|main)\//.test(path) && ![...withoutWords.keys()].some((place) => path.startsWith(place));
}

interface PublicFunction {
  name: string;
  start: number;
}

/**
 * Exported functions, exported constants that are functions, and the methods of exported classes that are not private.
 */
function publicFunctions(program: Program): PublicFunction[] {
  return program.body.flatMap((statement): PublicFunction[] => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration, start } = statement;
    switch (declaration?.type) {
      case 'FunctionDeclaration':
        return [{ name: declaration.id?.name ?? '', start }];
      case 'VariableDeclaration':
        return declaration.declarations
          .filter(({ init }) => init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
          .map(({ id }) => ({ name: id.type === 'Identifier' ? id.name : '', start }));
      case 'ClassDeclaration':
        return declaration.body.body.flatMap((member) =>
          member.type === 'MethodDefinition' &&
          member.kind !== 'constructor' &&
          member.accessibility !== 'private' &&
          member.key.type === 'Identifier'
            ? [{ name: `${declaration.id?.name}.${member.key.name}`, start: member.start }]
            : [],
        );
      default:
        return [];
    }
  });
}

/** Whether a docstring comment ends directly before this offset. */
function hasDocstring(text: string, comments: readonly Comment[], start: number): boolean {
  const end = text.slice(0, start).trimEnd().length;
  return comments.some((comment) => comment.end === end && comment.type === 'Block' && comment.value.startsWith('*'));
}

/** The line number, from 1, of an offset in the text. */
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
