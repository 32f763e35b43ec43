import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';
import { citationsIn, lostCitations, lostNames, namedPathsIn, targetsOf } from '../../run/house/citations.ts';
import { readTexts } from '../../run/house/texts.ts';

const files = readTexts();
const documents = files.filter(({ path }) => path.endsWith('.md'));

describe('the repository’s citations', () => {
  it('have every cited ruling, section and decision', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(lostCitations(files)).toEqual([]);
  });

  it('have every file and heading that a document links to', () => {
    const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
    const lost = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)/g)]
        .filter(([, to = '', anchor]) => {
          const file = to === '' ? path : join(dirname(path), to).replaceAll('\\', '/');
          if (globSync(file, { cwd: projectDir }).length === 0) return true;
          return anchor !== undefined && anchors.get(file)?.has(anchor) !== true;
        })
        .map(([link]) => `${path} ${link}`),
    );
    expect(lost).toEqual([]);
  });

  it('have every file and folder that a document or a comment names', () => {
    const exists = (name: string): boolean =>
      name.endsWith('/')
        ? files.some(({ path }) => `/${path}`.includes(`/${name}`))
        : files.some(({ path }) => path === name || path.endsWith(`/${name}`));
    const lost = files.flatMap((file) =>
      namedPathsIn(file)
        .filter((name) => !exists(name))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(lost).toEqual([]);
  });

  it('have every name of the code that a document says is in a file or a class', () => {
    expect(lostNames(files)).toEqual([]);
  });

  it('stay in the repository', () => {
    const outside = files.filter(({ text }) => /\.\.\/shared\b/.test(text)).map(({ path }) => path);
    expect(outside).toEqual([]);
  });
});

/** The anchors of a document's headings, as the usual renderers make them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
  return new Set(headings.map((title) => `#${title.replaceAll(/[^\p{L}\p{N} -]/gu, '').replaceAll(' ', '-')}`));
}

describe('a name in a document', () => {
  const sources = [{ path: 'src-main/job/ledger.ts', text: 'export class Ledger {\n  change(): void {}\n}' }];
  const lostIn = (text: string): string[] => lostNames([...sources, { path: 'page.md', text }]);

  it.each([
    ['a method that the class does not have', 'the queue (`Ledger.mark`)', 'page.md: `Ledger.mark`'],
    ['a name that the file does not have', '`mark` in\n`job/ledger.ts`', 'page.md: `mark` in job/ledger.ts'],
    ['one of several', '`change` and `mark` in `ledger.ts`', 'page.md: `mark` in ledger.ts'],
    ['one after the file', '`job/ledger.ts` (`change`, `#mark`)', 'page.md: `#mark` in job/ledger.ts'],
  ])('is lost if it is %s', (_what, text, lost) => {
    expect(lostIn(text)).toEqual([lost]);
  });

  it('is found in its file, its class, or if neither is a source of this repository', () => {
    const found =
      '`Ledger.change`; `change` in `job/ledger.ts`; `job/ledger.ts` (`#change`); `Array.at`; `x` in `y.ts`';
    expect(lostIn(found)).toEqual([]);
  });
});

describe('a citation', () => {
  const rulings = (...numbers: number[]): string[] => numbers.map((number) => `docs/service/rulings.md: ${number}`);
  const ofInterface = (heading: string): string => `docs/service/interface.md: ${heading}`;
  const fieldNotes = 'docs/service/field-notes.md';

  it.each([
    ['of a ruling', '/** Kept (ruling 9). */', rulings(9)],
    ['of rulings over a line', ' * Kept (rulings 9, 10\n   * and 11; 2 of them)', rulings(9, 10, 11)],
    ['of a range of rulings', '// Rulings 34 to 36, 43', rulings(34, 35, 36, 43)],
    ['of one ruling, followed by a number', '// ruling 20, 60 a minute', rulings(20)],
    ['of a section', '/** spec: Limits, purge-queue. */', [ofInterface('Limits')]],
    [
      'of a section over a line',
      '/**\n * All (spec:\n * Job record; ruling 3) */',
      [...rulings(3), ofInterface('Job record')],
    ],
    ['of a section in a string', "rule({ id: 'x', source: 'spec: Job record' })", [ofInterface('Job record')]],
    ['of the field notes', '/** (field notes: Status and result). */', [`${fieldNotes}: Status and result`]],
    [
      'of the field notes without a heading',
      ['/** Seen (field', 'notes). */'].join(' '),
      [`a heading of ${fieldNotes}`],
    ],
    ['of the design', '/* Grey (design language: Offline). */', ['docs/design.md: Offline']],
    ['of a document by its path', '// Longer (docs/architecture.md: Boot).', ['docs/architecture.md: Boot']],
    [
      'of a rule without a page',
      ['"(architecture.md,', 'rule 4)"'].join(' '),
      [['docs/architecture.md:', 'rule 4'].join(' ')],
    ],
    [
      'of an issue, which no repository contains',
      ['// (issue', '5, item 5)'].join(' '),
      [['a page about issue', '5'].join(' ')],
    ],
    ['of decisions', '// decision 010; see docs/decisions/012', ['decision 010', 'decision 012']],
  ])('%s is found', (_what, text, expected) => {
    expect(citationsIn('src-main/thing.ts', text).map(({ target }) => target)).toEqual(expected);
  });

  it('is not a field or parameter named like a document', () => {
    const code = "const by = { spec: Limits, old: 'x' };\nfunction read(name = 'x', spec: Limits) {}";
    expect(citationsIn('src-main/thing.ts', code)).toEqual([]);
  });

  it('is reported with its line', () => {
    const [citation] = citationsIn('src-main/thing.ts', 'const a = 1;\n\n/** Kept (ruling 9). */');
    expect(citation).toEqual({ line: 3, text: 'ruling 9', target: 'docs/service/rulings.md: 9' });
  });

  it('points to a heading by its number or its title', () => {
    const targets = targetsOf('x.md', '# X\n\n## 9. Retrying\n\nText.\n\n#### Get a pod\n');
    expect(targets).toEqual(['x.md', 'x.md: X', 'x.md: 9', 'x.md: Retrying', 'x.md: Get a pod']);
  });
});
