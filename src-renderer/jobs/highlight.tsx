import type { ReactNode } from 'react';
import styles from './job-row.module.css';

/**
 * What a search highlights: its words, and quoted phrases as a whole, longest first so that the longest match is used.
 * An unclosed quote extends to the end.
 */
export function searchedParts(text: string): string[] {
  return [...text.toLowerCase().matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, quoted, word]) => (quoted ?? word ?? '').trim())
    .filter((part) => part !== '')
    .sort((a, b) => b.length - a.length);
}

/**
 * Splits `text` at the matches of the parts: every second piece is a match. Between the words of a part there may be
 * any signs.
 */
export function splitMatches(text: string, parts: readonly string[]): string[] {
  if (parts.length === 0) return [text];
  return text.split(new RegExp(`(${parts.map(patternOf).join('|')})`, 'giu'));
}

function patternOf(part: string): string {
  return part
    .split(/\s+/)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join(String.raw`[^\p{L}\p{N}]+`);
}

/** A text with the search's words highlighted. */
export function Highlighted({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  if (words.length === 0) return text;
  return splitMatches(text, words).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className={styles.mark}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

/** A place that a search found: the engine puts \u0001 and \u0002 around each match. */
export function Snippet({ text }: { text: string }): ReactNode {
  return text.split('\u0001').map((piece, index) => {
    if (index === 0) return piece;
    const [match = '', after = ''] = piece.split('\u0002');
    return (
      <span key={index}>
        <mark className={styles.mark}>{match}</mark>
        {after}
      </span>
    );
  });
}
