import type { ReactNode } from 'react';
import styles from './job-row.module.css';

/**
 * What a search marks: its words, and what stands in quotes as a whole, longest first so that the longest match wins.
 * An open quote goes on to the end.
 */
export function searchedParts(text: string): string[] {
  return [...text.toLowerCase().matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, quoted, word]) => (quoted ?? word ?? '').trim())
    .filter((part) => part !== '')
    .sort((a, b) => b.length - a.length);
}

/** Splits `text` where a part occurs: odd ones are matches. Between the words of a part any signs may stand. */
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

/** A text with the search's words marked. */
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

/** Where a search found something: the engine puts \u0001 and \u0002 around each match. */
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
