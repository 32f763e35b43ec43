import type { Command } from './command.ts';

/**
 * How well a label matches a query: the parts to show in bold, and a score (lower is better). Null if it does not
 * match.
 */
export interface Match {
  /** Plain and matched parts in turn, beginning with a plain one, which may be empty. */
  parts: string[];
  score: number;
}

/** The whole label was typed. */
const exactScore = -1;
/** A word that is found only in the keywords scores worse than one in the label. */
const keywordScore = 5;

/**
 * Matches if the label contains every word of the query, or a keyword begins with it. The start of the label scores
 * best, then the start of a word.
 */
export function matchLabel(query: string, label: string, keywords: readonly string[] = []): Match | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return { parts: [label], score: 0 };
  const lower = label.toLowerCase();
  if (words.join(' ') === lower) return { parts: ['', label, ''], score: exactScore };
  const others = keywords.join(' ').toLowerCase();
  const hits: { from: number; to: number }[] = [];
  let score = 0;
  for (const word of words) {
    const from = bestPlace(lower, word);
    if (from === -1) {
      const place = bestPlace(others, word);
      if (place === -1 || !isWordStart(others, place)) return null;
      score += keywordScore;
      continue;
    }
    score += from === 0 ? 0 : isWordStart(lower, from) ? 1 : 3;
    hits.push({ from, to: from + word.length });
  }
  return { parts: cut(label, hits), score };
}

/**
 * First what has the query as its title, then what has it in its title as whole words in a row, then the others, each
 * in the given order. Pure.
 */
export function wholeWordsFirst<T extends { title: string }>(jobs: readonly T[], query: string): T[] {
  const wanted = wordsOf(query);
  const rank = ({ title }: T): number => {
    const words = wordsOf(title);
    return words === wanted ? 0 : words.includes(wanted) ? 1 : 2;
  };
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}

/** The words of a text in a row, with a space around each. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;
}

interface Ranked {
  command: Command;
  parts: string[];
}

/** Commands that match the query, the best first. Unavailable ones come last; without a query they are left out. */
export function rankCommands(commands: readonly Command[], query: string): Ranked[] {
  const isAsked = query.trim() !== '';
  return commands
    .flatMap((command) => {
      const match = matchLabel(query, command.label, command.keywords);
      return match === null || (!isAsked && command.refusal !== undefined) ? [] : [{ command, ...match }];
    })
    .toSorted((a, b) => refusedLast(a.command, b.command) || (isAsked ? a.score - b.score : 0));
}

/** The same lines, after which come the groups in which nothing is available. Pure. */
export function refusedGroupsLast<T extends { group: string; isRefused?: boolean }>(lines: readonly T[]): T[] {
  const usable = new Set(lines.filter(({ isRefused }) => isRefused !== true).map(({ group }) => group));
  return [...lines.filter(({ group }) => usable.has(group)), ...lines.filter(({ group }) => !usable.has(group))];
}

function refusedLast(one: Command, other: Command): number {
  return Number(one.refusal !== undefined) - Number(other.refusal !== undefined);
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** The first place at the start of a word, or else the first place. */
function bestPlace(text: string, word: string): number {
  const first = text.indexOf(word);
  for (let at = first; at !== -1; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

function cut(label: string, hits: readonly { from: number; to: number }[]): string[] {
  const sorted = [...hits].sort((a, b) => a.from - b.from);
  const parts: string[] = [];
  let at = 0;
  for (const hit of sorted) {
    if (hit.from < at) continue;
    parts.push(label.slice(at, hit.from), label.slice(hit.from, hit.to));
    at = hit.to;
  }
  parts.push(label.slice(at));
  return parts;
}
