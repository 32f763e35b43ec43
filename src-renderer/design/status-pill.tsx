import type { StatusLook } from '../../src-preload/job.ts';
import { classes } from './class-names.ts';
import { StatusGlyph } from './status-glyph.tsx';
import styles from './status.module.css';

/** Glyph and word on the status's tint. */
export function StatusPill({ look, word }: { look: StatusLook; word: string }) {
  return (
    <span className={classes(styles.pill, styles[`pill-${look}`])}>
      <StatusGlyph look={look} size={14} />
      {word}
    </span>
  );
}
