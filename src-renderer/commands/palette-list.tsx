import type { ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { paletteText } from '../messages/commands/palette.ts';
import type { Line } from './palette-lines.tsx';
import styles from './palette.module.css';

/** The lines on screen, and what they answer. */
export interface ShownLines {
  /** What they answer. */
  query: string;
  lines: readonly Line[];
  problem: string | null;
  isSearching: boolean;
}

/** Why there are no lines, or none of jobs. */
export function NoLines({ query, lines, problem, isSearching }: ShownLines) {
  if (problem !== null)
    return (
      <p className={styles.none} role="alert">
        {paletteText.couldNotSearch(problem)}
      </p>
    );
  if (lines.length > 0 || isSearching) return null;
  return (
    <p className={styles.none} role="status">
      {paletteText.noResults(query)}
    </p>
  );
}

interface LinesProps {
  lines: readonly Line[];
  chosen: number;
  onPoint: (index: number) => void;
  onRun: (line: Line) => void;
}

/** The lines under the headings of their groups. */
export function Lines({ lines, chosen, onPoint, onRun }: LinesProps): ReactNode {
  return lines.map((line, index) => (
    <div key={line.id} role="presentation">
      {lines[index - 1]?.group !== line.group && (
        <div className={styles.group} role="presentation">
          {line.group}
        </div>
      )}
      <div
        id={`palette-${line.id}`}
        role="option"
        aria-selected={index === chosen}
        aria-disabled={line.isRefused === true ? true : undefined}
        aria-description={[line.state, line.hint].filter((part) => part !== undefined && part !== '').join(', ')}
        className={classes(styles.line, index === chosen && styles.chosen, line.isRefused === true && styles.refused)}
        onMouseMove={() => onPoint(index)}
        onClick={() => onRun(line)}
      >
        {line.icon}
        <span className={styles.label}>{line.label}</span>
        <span className={classes(styles.hint, 'trunc')} aria-hidden="true">
          {line.hint}
        </span>
        {line.keys !== undefined && line.isRefused !== true && <Kbd keys={line.keys} />}
      </div>
    </div>
  ));
}

/** The keys of the palette. */
export function Foot({ hasSubject, isNarrow }: { hasSubject: boolean; isNarrow: boolean }) {
  return (
    <div className={styles.foot}>
      <span>
        <Kbd keys={['↑', '↓']} />
        {paletteText.move}
      </span>
      <span>
        <Kbd keys={['↵']} />
        {paletteText.run}
      </span>
      {hasSubject && (
        <span>
          <Kbd keys={['Tab']} />
          {isNarrow ? paletteText.allCommands : paletteText.narrowToJob}
        </span>
      )}
      <span className={styles.end}>
        <Kbd keys={['Esc']} />
        {paletteText.close}
      </span>
    </div>
  );
}
