import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Kbd } from '../design/kbd.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import styles from './problem-card.module.css';

/** The problem at one place of the input, beside that place, with a fix if one is obvious. */
export function ProblemCard(props: {
  reason: string;
  fixLabel: string | null;
  at: { left: number; top: number };
  onFix: () => void;
}): ReactElement {
  return (
    <div
      className={styles.card}
      style={{ left: `max(8px, min(${props.at.left - 12}px, 100% - 352px))`, top: props.at.top + 6 }}
    >
      <div className={styles.line}>
        <StatusGlyph look="fail" size={14} />
        <span>{props.reason}</span>
      </div>
      <div className={styles.line}>
        {props.fixLabel !== null && (
          <>
            <Button variant="primary" size="sm" onClick={props.onFix}>
              {props.fixLabel}
            </Button>
            <Kbd keys={['Ctrl', '.']} />
          </>
        )}
        <span className={styles.next}>F8 next problem</span>
      </div>
    </div>
  );
}
