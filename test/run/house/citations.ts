import { parseSync } from 'vite';

/** A text of the repository. */
export interface TextFile {
  /** From the project's folder, with slashes. */
  path: string;
  text: string;
}

/** A citation in a text. `target` has the form in which `targetsOf` writes what it refers to. */
export interface Citation {
  line: number;
  text: string;
  target: string;
}

const interfacePage = 'docs/service/interface.md';
const rulingsPage = 'docs/service/rulings.md';
const fieldNotesPage = 'docs/service/field-notes.md';
const designPage = 'docs/design.md';
const architecturePage = 'docs/architecture.md';

/** A form of citation. Group 1 is its object: a document, numbers or a heading. Group 2, if any, is a heading. */
interface Form {
  pattern: RegExp;
  /** Cited in comments, strings and prose only: code may have a field named `spec`. */
  isInProseOnly: boolean;
  targets: (what: string, heading: string) => string[];
}

/** A heading ends at any of these. A detail may follow it after a comma. */
const heading = String.raw`([A-Za-z][^().,;:'"\`\\|*]*)`;

const forms: readonly Form[] = [
  {
    pattern: /\bruling(\s+\d+|s\s+\d+(?:(?:,\s*and|,|\s+and|\s+to)\s+\d+)*)/gi,
    isInProseOnly: false,
    targets: (numbers) => numbersIn(numbers).map((number) => `${rulingsPage}: ${number}`),
  },
  {
    pattern: /\bdecisions?[ /](\d{3})\b/g,
    isInProseOnly: false,
    targets: (number) => [`decision ${number}`],
  },
  section(String.raw`[Ss]pec:`, interfacePage),
  section(String.raw`field[ -]notes:`, fieldNotesPage),
  section('design language:', designPage),
  {
    pattern: /\((field[ -]notes)(?=[),;])/g,
    isInProseOnly: true,
    targets: () => [`a heading of ${fieldNotesPage}`],
  },
  {
    // Without its folder, or with a number that no heading has.
    pattern: /(?<![\w/])architecture\.md,\s+([\w ]+)/g,
    isInProseOnly: true,
    targets: (title) => [`${architecturePage}: ${title}`],
  },
  {
    // Issues are not part of the repository, so its text must not depend on them.
    pattern: /\bissues?\s+#?(\d+)\b/gi,
    isInProseOnly: true,
    targets: (number) => [`a page about issue ${number}`],
  },
  {
    pattern: new RegExp(String.raw`\b(docs/[\w/-]+\.md)(?::\s+${heading})?`, 'g'),
    isInProseOnly: true,
    targets: (file, title) => [title === '' ? file : `${file}: ${title}`],
  },
];

function section(name: string, document: string): Form {
  const pattern = new RegExp(String.raw`\b${name}\s+${heading}`, 'g');
  return { pattern, isInProseOnly: true, targets: (title) => [`${document}: ${title}`] };
}

/**
 * What can be cited of a document: itself and each heading. A numbered heading, such as a ruling, can also be cited by
 * its number.
 */
export function targetsOf(file: string, markdown: string): string[] {
  const targets = [file];
  for (const [, number, title = ''] of markdown.matchAll(/^#{1,6} (?:(\d+)\. )?(.+)$/gm)) {
    if (number !== undefined) targets.push(`${file}: ${number}`);
    targets.push(`${file}: ${title}`);
  }
  const decision = /^docs\/decisions\/(\d{3})-/.exec(file)?.[1];
  if (decision !== undefined) targets.push(`decision ${decision}`);
  return targets;
}

/** The citations of a file, each with its line. A citation may continue on the next line. */
export function citationsIn(file: string, source: string): Citation[] {
  // A line end, together with the beginning of the comment's next line, is replaced by as many spaces, so that offsets
  // do not change.
  const text = source.replaceAll(/\r?\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (end) => ' '.repeat(end.length));
  return forms.flatMap(({ pattern, isInProseOnly, targets }) =>
    [...text.matchAll(pattern)].flatMap((found) => {
      if (isInProseOnly && !file.endsWith('.md') && !isInProse(source, found.index)) return [];
      const [whole = '', what = '', title = ''] = found.map((part: string | undefined) =>
        (part ?? '').trim().replaceAll(/\s+/g, ' '),
      );
      const line = source.slice(0, found.index).split('\n').length;
      return targets(what, title).map((target) => ({ line, text: whole, target }));
    }),
  );
}

/** Every citation in these files that refers to none of their documents, each with its place. */
export function lostCitations(files: readonly TextFile[]): string[] {
  const documents = files.filter(({ path }) => path.endsWith('.md'));
  const targets = new Set(documents.flatMap(({ path, text }) => targetsOf(path, text)));
  return files.flatMap(({ path, text }) =>
    citationsIn(path, text)
      .filter(({ target }) => !targets.has(target))
      .map((citation) => `${path}:${citation.line} ${citation.text}`),
  );
}

/** Source files and folders that a document names in backticks, and source files that a comment names. */
export function namedPathsIn({ path, text }: TextFile): string[] {
  if (path.endsWith('.md')) return [...text.matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)].map(([, name = '']) => name);
  if (!/\.tsx?$/.test(path)) return [];
  const comments = parseSync(path, text).comments.map(({ value }) => value);
  return comments.flatMap((comment) =>
    [...comment.matchAll(/(?<![\w./-])([\w./-]+\.tsx?)\b/g)].map(([, name = '']) => name),
  );
}

/** Names in backticks, and the file in which a document says they are, or the class. */
const namesOfFile: readonly RegExp[] = [
  /(?<names>(?:`#?[\w.]+`(?:,| and| or)? )+)in `(?<file>[\w./-]+\.tsx?)`/g,
  /`(?<file>[\w./-]+\.tsx?)` \((?<names>(?:`#?[\w.]+`(?:, | and )?)+)\)/g,
];
const memberOfClass = /`(?<owner>[A-Z]\w+)\.#?(?<member>\w+)`/g;

/**
 * Names of the code that a document says are in a file (a name in a file, or a file with names in parentheses) or a class
 * (`Class.member`), and that are not there. `files` are the sources and the documents.
 */
export function lostNames(files: readonly TextFile[]): string[] {
  const sources = files.filter(({ path }) => /\.tsx?$/.test(path));
  const has = (text: string, word: string): boolean => new RegExp(String.raw`\b${word}\b`).test(text);
  const isIn = (of: readonly TextFile[], words: readonly string[]): boolean =>
    of.length === 0 || of.some(({ text }) => words.every((word) => has(text, word)));
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      const flat = text.replaceAll(/\s*\n\s*/g, ' ');
      const ofFiles = namesOfFile.flatMap((form) =>
        [...flat.matchAll(form)].flatMap(({ groups: { names = '', file = '' } = {} }) => {
          const named = sources.filter((source) => source.path === file || source.path.endsWith(`/${file}`));
          return [...names.matchAll(/`#?([\w.]+)`/g)]
            .filter(([, name = '']) => !isIn(named, name.split('.')))
            .map(([name]) => `${path}: ${name} in ${file}`);
        }),
      );
      const ofClasses = [...flat.matchAll(memberOfClass)]
        .filter(({ groups: { owner = '', member = '' } = {} }) => {
          const declared = new RegExp(String.raw`\b(?:class|interface|type|const) ${owner}\b`);
          return !isIn(
            sources.filter((source) => declared.test(source.text)),
            [member],
          );
        })
        .map(([name]) => `${path}: ${name}`);
      return [...ofFiles, ...ofClasses];
    });
}

/** `34 to 36, 43` are four. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/(\d+)(?:\s+to\s+(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
}

/** Whether an offset lies in a comment or a string, judged by its own line. */
function isInProse(source: string, index: number): boolean {
  const before = source.slice(source.lastIndexOf('\n', index - 1) + 1, index);
  const isComment = /^\s*\*|\/\*|(?:^|\s)\/\//.test(before);
  return isComment || ["'", '"', '`'].some((quote) => before.split(quote).length % 2 === 0);
}
