/**
 * Keeps LaTeX as it was written: the content of `\(…\)`, `\[…\]`, `$$…$$`, `$…$` and `\begin{…}…\end{…}` is text,
 * although Markdown would interpret its stars, underscores and backslashes. Code spans and code blocks stay code.
 */

/** A stretch of a text that is math, including its delimiters. */
export interface MathSpan {
  start: number;
  /** The index after it. */
  end: number;
}

/**
 * A longer stretch does not count as math, so that an opening without an end delays neither the search nor the cutting.
 */
export const maxMathChars = 4_000;

const punctuation = /[!-/:-@[-`{-~]/g;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const listLine = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** What may open a span of code or math, or escape the next character. */
const opening = /[\\`$]/g;

/** One block of Markdown with every character of its math escaped, so that it is shown as it was written. */
export function escapeMath(markdown: string): string {
  if (!markdown.includes('\\') && !markdown.includes('$')) return markdown;
  let kept = '';
  let at = 0;
  for (const { start, end } of mathSpans(markdown)) {
    kept += markdown.slice(at, start) + markdown.slice(start, end).replaceAll(punctuation, '\\$&');
    at = end;
  }
  return kept + markdown.slice(at);
}

/** The math in a block of Markdown, in order. */
export function mathSpans(markdown: string): MathSpan[] {
  const spans: MathSpan[] = [];
  for (const { start, end } of proseOf(markdown)) {
    const prose = markdown.slice(start, end);
    const nextOf = createNextPlaces(prose);
    const codeEndOf = createCodeEnds(prose);
    opening.lastIndex = 0;
    for (let found = opening.exec(prose); found !== null; found = opening.exec(prose)) {
      const at = found.index;
      if (found[0] === '`') {
        opening.lastIndex = codeEndOf(at);
        continue;
      }
      const mathEnd = mathSpanEnd(prose, at, nextOf);
      if (mathEnd !== null) spans.push({ start: start + at, end: start + mathEnd });
      opening.lastIndex = mathEnd ?? at + (found[0] === '\\' ? 2 : 1);
    }
  }
  return spans;
}

/** The stretches of a block that are neither fenced nor indented code. */
function proseOf(markdown: string): MathSpan[] {
  const stretches: MathSpan[] = [];
  const isList = listLine.test(markdown.trimStart());
  let openFence: string | null = null;
  let proseFrom = 0;
  let isBlankBefore = true;
  const endProse = (at: number): void => {
    if (at > proseFrom) stretches.push({ start: proseFrom, end: at });
  };
  for (let lineStart = 0; lineStart < markdown.length;) {
    const newline = markdown.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? markdown.length : newline + 1;
    const line = markdown.slice(lineStart, lineEnd);
    const mark = fenceLine.exec(isList ? line.trimStart() : line)?.[1];
    const isIndentedCode: boolean = !isList && isBlankBefore && /^(?: {4}|\t)\s*\S/.test(line);
    if (openFence !== null) {
      if (mark?.startsWith(openFence) === true && line.trim() === mark) openFence = null;
      proseFrom = lineEnd;
    } else if (mark !== undefined || isIndentedCode) {
      endProse(lineStart);
      openFence = mark ?? null;
      proseFrom = lineEnd;
    }
    // Indented code continues over the indented lines that follow it.
    isBlankBefore = line.trim() === '' || isIndentedCode;
    lineStart = lineEnd;
  }
  if (openFence === null) endProse(markdown.length);
  return stretches;
}

type NextPlace = (sign: string, from: number) => number;

/**
 * Finds a sign from ever later places on, or -1, without reading a stretch twice: an output that opens math a million
 * times and never closes it must not take seconds.
 */
function createNextPlaces(prose: string): NextPlace {
  const known = new Map<string, number>();
  return (sign, from) => {
    const last = known.get(sign);
    if (last !== undefined && (last === -1 || last >= from)) return last;
    const found = prose.indexOf(sign, from);
    known.set(sign, found);
    return found;
  };
}

/**
 * Finds the end of the code span that opens at ever later places: after the next run of as many backticks. Without one,
 * the backticks are text, and their own end is returned.
 */
function createCodeEnds(prose: string): (at: number) => number {
  const none: number[] = [];
  /** Where runs of each length begin, the next one at the end of its list. Null until there is a backtick. */
  let runs: Map<number, number[]> | null = null;
  return (at) => {
    runs ??= runsOfBackticks(prose);
    const ticks = /`+/y;
    ticks.lastIndex = at;
    const length = ticks.exec(prose)?.[0].length ?? 1;
    const left = runs.get(length) ?? none;
    while ((left.at(-1) ?? Infinity) <= at) left.pop();
    return (left.at(-1) ?? at) + length;
  };
}

function runsOfBackticks(prose: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: ticks, index } of prose.matchAll(/`+/g)) {
    const same = runs.get(ticks.length);
    if (same === undefined) runs.set(ticks.length, [index]);
    else same.push(index);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

/** Where math that opens at `at` ends, or null. */
function mathSpanEnd(prose: string, at: number, nextOf: NextPlace): number | null {
  const sign = prose.slice(at, at + 2);
  const closing = { '\\(': '\\)', '\\[': '\\]', $$: '$$' }[sign];
  if (closing !== undefined) {
    const end = nextOf(closing, at + 2);
    return end === -1 || end + 2 > at + maxMathChars ? null : end + 2;
  }
  const ahead = prose.slice(at, at + maxMathChars);
  const environment = /^\\begin\{([A-Za-z]+\*?)\}/.exec(ahead);
  if (environment !== null) return closedBy(ahead, at, `\\end{${environment[1] ?? ''}}`, environment[0].length);
  return ahead.startsWith('$') ? dollarEnd(ahead, at) : null;
}

function closedBy(ahead: string, at: number, closing: string, from: number): number | null {
  const found = ahead.indexOf(closing, from);
  return found === -1 ? null : at + found + closing.length;
}

/** An amount with a word after it: "$5 and". */
const amount = /^\d[\d.,]*(?:\s*[kKmMbB])?(?:\s+[A-Za-z]{2,}|\s*[-–]\s*$)/;

/**
 * The end of `$…$` by Pandoc's rules: on one line, no space inside of either dollar, no digit after the second one. An
 * amount of money opens none.
 */
function dollarEnd(ahead: string, at: number): number | null {
  const found = /^\$(?=\S)((?:\\.|[^\\$\n])+)\$(?!\d)/.exec(ahead);
  const inside = found?.[1] ?? '';
  if (found === null || /\s$/.test(inside) || amount.test(inside)) return null;
  return at + found[0].length;
}
