import { lostCitations, type TextFile } from './citations.ts';
import { buildings, misplaced } from './floors.ts';
import { circles, importsOf, mutualPairs } from './import-graph.ts';
import type { SourceFile } from './source-file.ts';

/**
 * One figure about the code. If it has a limit, the limit is permanent; see
 * docs/decisions/025-measures-of-the-house.md.
 */
export interface Measure {
  name: string;
  value: number;
  limit?: number;
  /** The places, worst first. */
  places?: string[];
}

const longestFile = 500;
/** A file of main or the bridge with fewer lines is counted: many of them make a behaviour long to follow. */
const shortFile = 40;
const longestFunction = 100;
const maxLineChars = 120;

/** Files whose lines may be longer, because their content cannot be broken. */
const unbreakable: ReadonlyMap<string, string> = new Map([
  ['src-main/sandbox/workers/handlers/text-document.ts', 'paragraphs of the texts that the sandbox writes'],
  ['src-main/service/error-body.ts', 'regular expressions'],
  ['src-preload/json-check.ts', 'a regular expression'],
]);

/**
 * Measures the product's source files, and the citations in `texts`: all files that cite something or are cited. Pure.
 */
export function measureHouse(files: readonly SourceFile[], texts: readonly TextFile[] = []): Measure[] {
  const imports = importsOf(files);
  const rooms = Object.entries(Object.groupBy(files, ({ path }) => roomOf(path)));
  const longFiles = files
    .filter(({ lines }) => lines.length > longestFile)
    .toSorted((a, b) => b.lines.length - a.lines.length);
  const byLength = files
    .flatMap(({ path, functions }) => functions.map(({ line, lineCount }) => ({ path, line, lineCount })))
    .toSorted((a, b) => b.lineCount - a.lineCount);
  const tooLong = byLength.filter(({ lineCount }) => lineCount > longestFunction);
  const wideLines = files.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      line.length > maxLineChars && !unbreakable.has(path) ? [`${path}:${at + 1} (${line.length})`] : [],
    ),
  );
  const pairs = mutualPairs(imports);
  const rounds = circles(imports);
  const misplacedFiles = buildings.flatMap((building) => misplaced(files, building));
  const lost = lostCitations(texts);
  const undocumented = files.flatMap((file) =>
    file.undocumented.map(({ line, name }) => `${file.path}:${line}: ${name}`),
  );
  const misplacedWordsIn = (building: string): string[] =>
    files
      .filter(({ path }) => path.startsWith(building))
      .flatMap(({ path, misplacedWords }) => misplacedWords.map(({ line, text }) => `${path}:${line}: ${text}`));
  const [wordsOfWindows, wordsOfMain] = [misplacedWordsIn('src-renderer/'), misplacedWordsIn('src-main/')];
  const sum = (of: (file: SourceFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  return [
    {
      name: 'product lines',
      value: sum(({ lines }) => lines.length),
      places: rooms.map(
        ([room, all = []]) =>
          `${room}: ${all.length} files, ${all.reduce((total, { lines }) => total + lines.length, 0).toLocaleString('en')} lines`,
      ),
    },
    { name: 'files in src-main', value: files.filter(({ path }) => path.startsWith('src-main/')).length },
    {
      name: `files under ${shortFile} lines in src-main and src-preload`,
      value: files.filter(({ path, lines }) => /^src-(?:main|preload)\//.test(path) && lines.length < shortFile).length,
    },
    { name: 'lines of interfaces', value: sum(({ interfaceLines }) => interfaceLines) },
    {
      name: `files over ${longestFile} lines`,
      value: longFiles.length,
      limit: 0,
      places: longFiles.map(({ path, lines }) => `${path}: ${lines.length}`),
    },
    {
      name: 'longest function, in lines',
      value: byLength[0]?.lineCount ?? 0,
      limit: longestFunction,
      places: byLength.slice(0, 1).map(({ path, line }) => `${path}:${line}`),
    },
    {
      name: `functions over ${longestFunction} lines`,
      value: tooLong.length,
      limit: 0,
      places: tooLong.map(({ path, line, lineCount }) => `${path}:${line}: ${lineCount}`),
    },
    { name: `lines over ${maxLineChars} columns`, value: wideLines.length, limit: 0, places: wideLines },
    {
      name: 'pairs of folders that import each other',
      value: pairs.length,
      limit: 0,
      places: pairs.map(({ folders, imports: rarer }) => `${folders.join(' <> ')}: ${rarer.length} (${rarer[0]})`),
    },
    {
      name: 'circles of imports, of types included',
      value: rounds.length,
      limit: 0,
      places: rounds.map((circle) => circle.join(', ')),
    },
    {
      name: 'imports and folders that the floors do not have',
      value: misplacedFiles.length,
      limit: 0,
      places: misplacedFiles,
    },
    { name: 'citations that lead nowhere', value: lost.length, limit: 0, places: lost },
    {
      name: 'public functions without a docstring',
      value: undocumented.length,
      limit: 0,
      places: undocumented,
    },
    {
      name: 'texts of the windows outside messages/',
      value: wordsOfWindows.length,
      limit: 0,
      places: wordsOfWindows,
    },
    {
      name: 'texts of main for users outside messages/',
      value: wordsOfMain.length,
      limit: 0,
      places: wordsOfMain,
    },
  ];
}

/** The first folder, and the second if there is one. */
function roomOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/');
}
