import type { Command } from './command.ts';

/**
 * How well a query fits a label: the parts to show in bold, and a score (lower is better). Null when it does not fit.
 */
export interface Match {
  /** Alternating plain and matched parts, starting with a plain one (perhaps empty). */
  parts: string[];
  score: number;
}

/** A word found in the keywords alone counts less than one anywhere in the label. */
const keywordScore = 5;

/**
 * Fits when every word of the query occurs in the label, best at its start, then at a word's start; or begins a word of
 * the keywords, which are not shown.
 */
export function matchLabel(query: string, label: string, keywords: readonly string[] = []): Match | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return { parts: [label], score: 0 };
  const lower = label.toLowerCase();
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

interface Ranked {
  command: Command;
  parts: string[];
}

/**
 * Commands that fit the query, the best first. Refused ones come last; without a query they are left out, for nobody
 * asked for them.
 */
export function rankCommands(commands: readonly Command[], query: string): Ranked[] {
  const isAsked = query.trim() !== '';
  return commands
    .flatMap((command) => {
      const match = matchLabel(query, command.label, command.keywords);
      return match === null || (!isAsked && command.refusal !== undefined) ? [] : [{ command, ...match }];
    })
    .toSorted((a, b) => refusedLast(a.command, b.command) || (isAsked ? a.score - b.score : 0));
}

function refusedLast(one: Command, other: Command): number {
  return Number(one.refusal !== undefined) - Number(other.refusal !== undefined);
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** The first place at a word's start, else the first place. */
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
