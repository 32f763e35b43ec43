import type { ReactNode } from 'react';
import styles from './job-row.module.css';

/** Words of a search, longest first so that the longest match wins. */
export function searchText(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length);
}

/** Splits `text` at every place a word occurs: odd parts are matches. */
export function splitMatches(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const pattern = new RegExp(
    `(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`,
    'giu',
  );
  return text.split(pattern);
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
