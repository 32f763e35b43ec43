import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { badMark, goodMark, markWord, type Judgement, type Mark } from '../../src-preload/judgement.ts';
import { classes } from '../design/class-names.ts';
import { judgementText } from '../messages/jobs/row.tsx';
import styles from './judgement.module.css';

/** A mark in a row: a thumb for good and bad, otherwise its number. */
export function MarkGlyph({ mark }: { mark: Mark }) {
  return (
    <span
      className={styles.glyph}
      role="img"
      aria-label={judgementText.marked(mark)}
      title={judgementText.marked(mark)}
    >
      {mark === goodMark ? (
        <ThumbsUp size={12} fill="currentColor" />
      ) : mark === badMark ? (
        <ThumbsDown size={12} fill="currentColor" />
      ) : (
        <span className={styles.number}>{mark}</span>
      )}
    </span>
  );
}

/** What the user said of a job, under its title: `good` and its label. */
export function JudgementChips({ mark, label }: Judgement) {
  return (
    <>
      {mark !== undefined && (
        <span className={classes(styles.chip, styles.mark)}>
          <MarkGlyph mark={mark} />
          {markWord(mark)}
        </span>
      )}
      {label !== undefined && (
        <span className={styles.chip} title={judgementText.label(label)}>
          {label}
        </span>
      )}
    </>
  );
}
