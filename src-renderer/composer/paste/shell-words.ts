/** How a shell divides a line into words. */
export type ShellKind = 'bash' | 'cmd' | 'powershell';

export interface ShellLine {
  words: string[];
  /** The content of a here-document for the command's standard input. */
  stdin: string | null;
}

/** The shell of a command, from how its first line continues, or else from how it escapes quotes. Pure. */
export function shellOf(text: string): ShellKind {
  const sign = /^[^\n]*?([\\^`])[ \t]*\r?\n/.exec(text)?.[1];
  if (sign !== undefined) return sign === '^' ? 'cmd' : sign === '`' ? 'powershell' : 'bash';
  if (/^\s*curl\.exe\b/i.test(text)) return 'powershell';
  // In bash, single quotes may contain anything.
  return /\s\^"/.test(text.replaceAll(/'[^']*'/g, '')) ? 'cmd' : 'bash';
}

/** The words of the first command in a text. Variables stay as they are written. Pure. */
export function shellWords(text: string, shell: ShellKind): ShellLine {
  switch (shell) {
    case 'bash':
      return bashWords(text);
    case 'cmd':
      return { words: argvWords(withoutCarets(text)), stdin: null };
    case 'powershell':
      return { words: powerShellWords(text), stdin: null };
  }
}

/** The words so far. The last one is open while a part of it was read. */
class Words {
  readonly done: string[] = [];
  #open: string | null = null;

  add(text: string): void {
    this.#open = (this.#open ?? '') + text;
  }

  end(): void {
    if (this.#open !== null) this.done.push(this.#open);
    this.#open = null;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }
}

function bashWords(text: string): ShellLine {
  const words = new Words();
  let mark: { word: string; isQuoted: boolean } | null = null;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\\') {
      const next = text.slice(at + 1, at + 3) === '\r\n' ? '\r\n' : text.charAt(at + 1);
      if (next !== '\n' && next !== '\r\n') words.add(next);
      at += 1 + next.length;
    } else if (char === "'") {
      const end = endOf(text, "'", at + 1);
      words.add(text.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') {
      const read = doubleQuoted(text, at + 1);
      words.add(read.text);
      at = read.end;
    } else if (text.startsWith("$'", at)) {
      const read = ansiQuoted(text, at + 2);
      words.add(read.text);
      at = read.end;
    } else if (text.startsWith('<<', at) && !text.startsWith('<<<', at)) {
      const found = /^<<-?[ \t]*(['"]?)([\w.-]+)\1/.exec(text.slice(at, at + 200));
      words.end();
      mark = found === null ? null : { word: found[2] ?? '', isQuoted: found[1] !== '' };
      at += found?.[0].length ?? 2;
    } else if (char === '\n' && mark !== null) {
      words.end();
      return { words: words.done, stdin: hereDocument(text.slice(at + 1), mark) };
    } else if (/[\n;|&]/.test(char) && !(char === '\n' && words.done.length === 0 && !words.isOpen)) {
      break;
    } else if (/\s/.test(char)) {
      words.end();
      at += 1;
    } else if (char === '#' && !words.isOpen) {
      at = endOf(text, '\n', at);
    } else {
      words.add(char);
      at += 1;
    }
  }
  words.end();
  return { words: words.done, stdin: null };
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end === -1 ? text.length : end;
}

function doubleQuoted(text: string, from: number): { text: string; end: number } {
  let out = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { text: out, end: at + 1 };
    const next = text.charAt(at + 1);
    if (char === '\\' && next !== '' && '"\\$`\n'.includes(next)) {
      if (next !== '\n') out += next;
      at += 1;
    } else {
      out += char;
    }
  }
  return { text: out, end: text.length };
}

const ansi: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
  E: '\u001b',
};

/** `$'...'`, in which browsers write characters beyond ASCII. */
function ansiQuoted(text: string, from: number): { text: string; end: number } {
  let out = '';
  let at = from;
  while (at < text.length && text.charAt(at) !== "'") {
    const coded = /^\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3}))/.exec(
      text.slice(at, at + 10),
    );
    if (coded !== null) {
      const hex = coded[1] ?? coded[2] ?? coded[3];
      const code = hex === undefined ? Number.parseInt(coded[4] ?? '0', 8) : Number.parseInt(hex, 16);
      out += code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
      at += coded[0].length;
    } else if (text.charAt(at) === '\\') {
      out += ansi[text.charAt(at + 1)] ?? text.charAt(at + 1);
      at += 2;
    } else {
      out += text.charAt(at);
      at += 1;
    }
  }
  return { text: out, end: at + 1 };
}

function hereDocument(text: string, { word, isQuoted }: { word: string; isQuoted: boolean }): string {
  const lines = text.split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() === word);
  const body = lines.slice(0, end === -1 ? lines.length : end).join('\n');
  return isQuoted ? body : body.replaceAll(/\\([\\$`])/g, '$1');
}

/** Removes cmd's carets. A caret escapes the next character, but not within quotes that are not escaped themselves. */
function withoutCarets(text: string): string {
  let out = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') isQuoted = !isQuoted;
    if (char !== '^' || isQuoted) {
      out += char;
      continue;
    }
    const gap = /^\^[ \t]*\r?\n/.exec(text.slice(at, at + 100));
    if (gap !== null) {
      // A continued line: its words are separated from the next line by blanks.
      out += ' ';
      at += gap[0].length - 1;
    } else {
      at += 1;
      out += text.charAt(at);
    }
  }
  return out;
}

/** Words as a program on Windows divides its command line: a backslash escapes only a quote. */
function argvWords(text: string): string[] {
  const words = new Words();
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') {
      const slashes = /^\\+/.exec(text.slice(at))?.[0].length ?? 1;
      const isBeforeQuote = text.charAt(at + slashes) === '"';
      words.add('\\'.repeat(isBeforeQuote ? Math.floor(slashes / 2) : slashes));
      at += slashes - 1;
      if (isBeforeQuote && slashes % 2 === 1) {
        words.add('"');
        at += 1;
      }
    } else if (char === '"') {
      isQuoted = !isQuoted;
      words.add('');
    } else if (/\s/.test(char) && !isQuoted) {
      words.end();
    } else {
      words.add(char);
    }
  }
  words.end();
  return words.done;
}

/** PowerShell: a backtick escapes, and two single quotes within single quotes are one. */
function powerShellWords(text: string): string[] {
  const words = new Words();
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (isSingleQuote(char) || char === '"') {
      const read = powerShellString(text, at);
      words.add(read.text);
      at = read.end;
    } else if (char === '`') {
      const gap = /^`[ \t]*\r?\n/.exec(text.slice(at, at + 100));
      if (gap === null) words.add(text.charAt(at + 1));
      else words.end();
      at += gap?.[0].length ?? 2;
    } else if (/[\n;|]/.test(char) && words.done.length > 0) {
      break;
    } else if (/\s/.test(char)) {
      words.end();
      at += 1;
    } else {
      words.add(char);
      at += 1;
    }
  }
  words.end();
  return words.done;
}

/** PowerShell accepts typographic single quotes as plain ones. */
function isSingleQuote(char: string): boolean {
  return char !== '' && "'\u2018\u2019\u201a\u201b".includes(char);
}

/** A PowerShell string that begins with its quote at `from`, or a here-string (`@'`). Pure. */
export function powerShellString(text: string, from: number): { text: string; end: number } {
  const isHere = text.charAt(from) === '@';
  const quoteAt = isHere ? from + 1 : from;
  const isSingle = isSingleQuote(text.charAt(quoteAt));
  if (isHere) {
    const start = endOf(text, '\n', quoteAt) + 1;
    const close = /\r?\n['"]@/.exec(text.slice(start));
    const end = close === null ? text.length : start + close.index;
    return { text: text.slice(start, end), end: close === null ? end : end + close[0].length };
  }
  let out = '';
  for (let at = quoteAt + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    const isQuote = isSingle ? isSingleQuote(char) : char === '"';
    if (isQuote) {
      const next = text.charAt(at + 1);
      if (!(isSingle ? isSingleQuote(next) : next === '"')) return { text: out, end: at + 1 };
      // Two of them stand for one.
      out += char;
      at += 1;
    } else if (char === '`' && !isSingle) {
      at += 1;
      const escaped = text.charAt(at);
      out += { n: '\n', t: '\t', r: '\r', '0': '\0' }[escaped] ?? escaped;
    } else {
      out += char;
    }
  }
  return { text: out, end: text.length };
}
