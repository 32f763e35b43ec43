import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** The drawing above the title: the empty deck by default, `null` for none. */
  art?: ReactNode;
  children?: ReactNode;
}

/** What will be shown here, a primary action, and another way to begin. */
export function EmptyState({ title, text, actions, art, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {art === undefined ? <EmptyDeck /> : art}
      <h2 className={styles.title}>{title}</h2>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      {children}
    </div>
  );
}

function EmptyDeck() {
  return (
    <svg className={styles.deck} width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden="true">
      <path d="M20 8h32" className={styles.edge} strokeWidth="2" strokeLinecap="round" />
      <path d="M14 17h44" className={styles.edge} strokeWidth="2" strokeLinecap="round" />
      <rect
        x="8"
        y="26"
        width="56"
        height="24"
        rx="7"
        className={styles.card}
        strokeWidth="1.6"
        strokeDasharray="3.5 3.5"
      />
    </svg>
  );
}
