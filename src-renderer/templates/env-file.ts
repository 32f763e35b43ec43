import { envNameProblem } from '../../src-preload/template-check.ts';
import type { EnvEntry } from '../../src-preload/template.ts';
import { envFileText } from '../messages/templates/env.ts';

/** A line of a .env file that could not be read. */
interface EnvFileProblem {
  /** From 1. */
  line: number;
  message: string;
}

export interface EnvFile {
  /** In the order of the file. If a name occurs twice, its last value is used. */
  variables: { name: string; value: string }[];
  problems: EnvFileProblem[];
}

/** From the first character of a line that is not a space. */
const assignment = /^(?:export\s+(?!\s))?([^=\s#]*)\s*=[^\S\n]*/;

/**
 * Reads a .env file: `NAME=value`, `export NAME=value`, comments, empty lines, LF or CRLF. Unquoted values end before
 * ` #` and are trimmed. '...' is taken as it is, even over several lines; so is "...", in which \n \r \t \" \\ \$ are
 * escapes.
 */
export function parseEnvFile(text: string): EnvFile {
  const source = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  const found = new Map<string, string>();
  const problems: EnvFileProblem[] = [];
  let at = 0;
  let line = 1;
  const skipLine = (): void => {
    const end = source.indexOf('\n', at);
    at = end === -1 ? source.length : end + 1;
    line += 1;
  };
  while (at < source.length) {
    const end = source.indexOf('\n', at);
    const rest = source.slice(at, end === -1 ? undefined : end);
    const written = rest.trimStart();
    if (written === '' || written.startsWith('#')) {
      skipLine();
      continue;
    }
    const head = assignment.exec(written);
    if (head === null) {
      problems.push({ line, message: envFileText.noAssignment });
      skipLine();
      continue;
    }
    const [before, name = ''] = head;
    const nameProblem = envNameProblem(name);
    const read = readValue(source, at + rest.length - written.length + before.length);
    const tail = read.isClosed ? lineFrom(source, read.end).trim() : '';
    if (nameProblem !== null) problems.push({ line, message: nameProblem });
    else if (!read.isClosed) problems.push({ line, message: envFileText.openQuote(name) });
    else if (tail !== '' && !tail.startsWith('#')) problems.push({ line, message: envFileText.textAfterQuote(name) });
    else {
      found.delete(name);
      found.set(name, read.value);
    }
    // An unclosed quote ends with its line, so that the rest can still be read.
    const readEnd = read.isClosed ? read.end : at;
    line += source.slice(at, readEnd).split('\n').length - 1;
    at = readEnd;
    skipLine();
  }
  return { variables: [...found].map(([name, value]) => ({ name, value })), problems };
}

interface ReadValue {
  value: string;
  /** The offset after it. */
  end: number;
  isClosed: boolean;
}

function lineFrom(source: string, from: number): string {
  const end = source.indexOf('\n', from);
  return source.slice(from, end === -1 ? undefined : end);
}

function readValue(source: string, from: number): ReadValue {
  const quote = source[from];
  if (quote === "'") {
    const close = source.indexOf("'", from + 1);
    return close === -1
      ? { value: '', end: from, isClosed: false }
      : { value: source.slice(from + 1, close), end: close + 1, isClosed: true };
  }
  if (quote === '"') {
    const whole = /^"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/.exec(source.slice(from));
    return whole === null
      ? { value: '', end: from, isClosed: false }
      : { value: unescaped(whole[1] ?? ''), end: from + whole[0].length, isClosed: true };
  }
  const raw = lineFrom(source, from);
  return { value: raw.replace(/(?:^|\s)#.*$/, '').trim(), end: from + raw.length, isClosed: true };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, char: string) => escapes[char] ?? whole);
}

export interface EnvMerge {
  entries: EnvEntry[];
  added: string[];
  changed: string[];
}

/**
 * The variables merged with those of a file: a known name gets the file's value in place, new names are added at the
 * end.
 */
export function mergeEnv(entries: readonly EnvEntry[], file: EnvFile['variables']): EnvMerge {
  const values = new Map(file.map(({ name, value }) => [name, value]));
  const merged = entries.map((entry): EnvEntry => {
    const value = values.get(entry.name);
    return value === undefined ? entry : { name: entry.name, value };
  });
  const known = new Set(entries.map(({ name }) => name));
  const added = file.filter(({ name }) => !known.has(name));
  return {
    entries: [...merged, ...added],
    added: added.map(({ name }) => name),
    changed: file.flatMap(({ name }) => (known.has(name) ? [name] : [])),
  };
}
