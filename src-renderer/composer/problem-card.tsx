import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { composerFootText } from '../messages/composer/sheet.ts';
import styles from './problem-card.module.css';

/** The height of a card whose reason fits on one line, in CSS pixels, and the space below it. */
const cardHeight = 76;

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
      style={{
        left: `max(8px, min(${props.at.left - 12}px, 100% - 352px))`,
        // In a low editor it covers the line rather than being cut off.
        top: `max(2px, min(${props.at.top + 6}px, 100% - ${cardHeight}px))`,
      }}
    >
      <div className={styles.line}>
        <StatusGlyph kind="fail" size={14} />
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
        <span className={styles.next}>
          <Kbd keys={['F8']} /> {composerFootText.keyNextProblem}
        </span>
      </div>
    </div>
  );
}
