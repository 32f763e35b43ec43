import type { ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  icon?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  isBare?: boolean;
  /** Wider columns, for longer labels. */ isWide?: boolean;
}

/** A part of the middle panel, with its icon, title and count. */
export function Section({ title, icon, note, actions, children, isBare, isWide }: SectionProps) {
  return (
    <section
      className={classes(styles.section, isBare === true && styles.bare, isWide === true && styles.wide)}
      aria-label={title}
    >
      <div className={styles.head}>
        {icon}
        <h3>{title}</h3>
        {note !== undefined && <div className={styles.note}>{note}</div>}
        <span className={styles.gap} />
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Fields side by side, in as many columns as fit. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>;
}
