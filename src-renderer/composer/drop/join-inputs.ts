import { addedRowsText } from '../../messages/composer/drop.ts';
import { oneLine, type BulkFormat, type ParsedInputs } from '../bulk/parsed-inputs.ts';
import { detect } from '../bulk/read-inputs.ts';
import { readCsv } from '../read-csv.ts';
import type { SkippedFile, InputFile } from './read-input-files.ts';

/** What the field for many inputs contains. */
interface PresentText {
  text: string;
  /** The format that the user chose. Null: as detected. */
  wanted: BulkFormat | null;
}

/** Parses a text in the given format (null: as detected), for example in slices between frames. */
type Parse = (text: string, wanted: BulkFormat | null) => Promise<ParsedInputs>;

interface Joined extends PresentText {
  /** Names of the files with inputs. */
  taken: string[];
  skipped: SkippedFile[];
  /** The text that was there became one object per line. */
  isConverted: boolean;
}

/**
 * Appends the inputs of files to a text, in the order of the files. One file in an empty field is unchanged, and tables
 * with the same header stay one table. Otherwise each input becomes a line with a JSON object, and lines of NDJSON stay
 * as they are, so that invalid ones can be fixed. Returns a sentence if the text must be fixed first.
 */
export async function joinInputs(
  present: PresentText,
  files: readonly InputFile[],
  parse: Parse,
): Promise<Joined | string> {
  const isEmpty = present.text.trim() === '';
  const [only] = files;
  if (isEmpty && files.length === 1 && only !== undefined)
    return { text: only.text, wanted: present.wanted, taken: [only.name], skipped: [], isConverted: false };
  const isPresentTable = !isEmpty && formatOf(present.text, present.wanted) === 'csv';
  const isTables = (isEmpty || isPresentTable) && files.every(({ name, text }) => formatOfFile(name, text) === 'csv');
  const table = isTables ? joinTables([...(isEmpty ? [] : [present.text]), ...files.map(({ text }) => text)]) : null;
  if (table !== null)
    return withFormat(table, 'csv', present.wanted, {
      taken: files.map(({ name }) => name),
      skipped: [],
      isConverted: false,
    });

  const former = isEmpty ? { text: '', format: 'ndjson' as const } : await linesOfPresent(present, parse);
  if (typeof former === 'string') return former;
  const { lines, taken, skipped } = await linesOfFiles(files, parse);
  if (lines.length === 0) return { text: present.text, wanted: present.wanted, taken, skipped, isConverted: false };
  const before = former.text === '' ? [] : [former.text.trimEnd()];
  return withFormat(`${[...before, ...lines].join('\n')}\n`, former.format, present.wanted, {
    taken,
    skipped,
    isConverted: !isEmpty && former.text !== present.text,
  });
}

function withFormat(
  text: string,
  format: BulkFormat,
  wanted: BulkFormat | null,
  rest: Pick<Joined, 'taken' | 'skipped' | 'isConverted'>,
): Joined {
  return { text, wanted: wanted !== format && detect(text)?.format === format ? null : format, ...rest };
}

function formatOf(text: string, wanted: BulkFormat | null): BulkFormat {
  return wanted ?? detect(text)?.format ?? 'ndjson';
}

/** A file's name decides between a table and lines; its text decides everything else. */
function formatOfFile(name: string, text: string): BulkFormat {
  if (/\.[ct]sv$/i.test(name)) return 'csv';
  const detected = detect(text)?.format ?? 'ndjson';
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return detected === 'json' ? 'json' : 'ndjson';
  return /\.json$/i.test(name) && detected === 'csv' ? 'json' : detected;
}

/** The present text in a form to which lines can be added, or why there is none. */
async function linesOfPresent(
  { text, wanted }: PresentText,
  parse: Parse,
): Promise<{ text: string; format: 'ndjson' | 'json' } | string> {
  const format = formatOf(text, wanted);
  if (format === 'ndjson' || (format === 'json' && !text.trimStart().startsWith('['))) return { text, format };
  const { good, bad } = await parse(text, wanted);
  if (bad.length > 0) return addedRowsText.fixRowsFirst;
  if (good.length === 0 && format === 'csv') return addedRowsText.emptyTable;
  return { text: good.map(({ inputText }) => oneLine(inputText)).join('\n'), format: 'ndjson' };
}

async function linesOfFiles(
  files: readonly InputFile[],
  parse: Parse,
): Promise<{ lines: string[]; taken: string[]; skipped: SkippedFile[] }> {
  const lines: string[] = [];
  const taken: string[] = [];
  const skipped: SkippedFile[] = [];
  for (const { name, text } of files) {
    const format = formatOfFile(name, text);
    if (format === 'ndjson') {
      lines.push(text.trim());
      taken.push(name);
      continue;
    }
    const { good, bad } = await parse(text, format);
    for (const { inputText } of good) lines.push(oneLine(inputText));
    if (good.length > 0) taken.push(name);
    const [first] = bad;
    if (first !== undefined)
      skipped.push({ name, reason: 'rows', rows: { count: bad.length, line: first.line, message: first.message } });
    else if (good.length === 0) skipped.push({ name, reason: 'empty' });
  }
  return { lines, taken, skipped };
}

/** Tables under one header, or null if their headers or delimiters differ. */
function joinTables(texts: readonly string[]): string | null {
  const parts = texts.map(headerAndRows);
  const [first] = parts;
  const [firstText = ''] = texts;
  if (first === undefined || first === null || parts.some((part) => part?.header !== first.header)) return null;
  const rows = parts.slice(1).map((part) => withoutEnd(part?.rows ?? ''));
  return `${[withoutEnd(firstText), ...rows.filter((text) => text !== '')].join('\n')}\n`;
}

/** Without the line ends at the end. Tabs there are empty cells. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

/** A table's header, in a form that can be compared, and the text below it. Null without a valid header. */
function headerAndRows(text: string): { header: string; rows: string } | null {
  const delimiter = detect(text)?.delimiter;
  if (delimiter === undefined) return null;
  const record = readCsv(text, delimiter).next();
  if (record.done === true || record.value.problem !== null) return null;
  const { raw, cells } = record.value;
  const rows = text.slice(text.indexOf(raw) + raw.length).replace(/^\r?\n/, '');
  return { header: JSON.stringify([delimiter, ...cells.map((cell) => cell.text.trim())]), rows };
}
