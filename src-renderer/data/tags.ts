import { tagBounds } from '../../src-preload/bounds.ts';
import { tagProblemText } from '../messages/data/changes.ts';

/**
 * Reads comma-separated tags: each on one line, trimmed, without duplicates, in order. `problem` says why they cannot
 * be saved.
 */
export function readTags(text: string): { tags: string[]; problem: string | null } {
  const tags = [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
        .filter((tag) => tag !== ''),
    ),
  ];
  const long = tags.find((tag) => tag.length > tagBounds.maxChars);
  if (long !== undefined) {
    return { tags, problem: tagProblemText.tooLong(long, tagBounds.maxChars) };
  }
  if (tags.length > tagBounds.max) return { tags, problem: tagProblemText.tooMany(tags.length, tagBounds.max) };
  return { tags, problem: null };
}

/** A job's tags after the tags that it shared with other jobs were edited. Its own tags stay. */
export function tagsAfter(had: readonly string[], shared: readonly string[], edited: readonly string[]): string[] {
  return [...new Set([...had.filter((tag) => !shared.includes(tag) || edited.includes(tag)), ...edited])];
}

const maxOffered = 8;

/**
 * Those of `known` that could complete the last word of `text`, in the same order, each with the resulting text. Tags
 * that are already in the text are left out.
 */
export function completions(text: string, known: readonly string[]): { tag: string; completed: string }[] {
  const parts = text.split(',').map((part) => part.trim());
  const last = (parts.at(-1) ?? '').toLowerCase();
  const others = parts.slice(0, -1).filter((part) => part !== '');
  return known
    .filter((tag) => !parts.includes(tag) && tag.toLowerCase().startsWith(last))
    .slice(0, maxOffered)
    .map((tag) => ({ tag, completed: `${[...others, tag].join(', ')}, ` }));
}
