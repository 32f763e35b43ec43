import type { ReactNode } from 'react';
import { classes } from './class-names.ts';
import styles from './banner.module.css';

export type BannerTone = 'offline' | 'warning' | 'error' | 'info';

export interface BannerProps {
  tone: BannerTone;
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
}

/** A state of the window, shown across its top. */
export function Banner({ tone, icon, title, text, actions }: BannerProps) {
  return (
    <div className={classes(styles.banner, styles[tone])} role={tone === 'error' ? 'alert' : 'status'}>
      {icon}
      <p className={styles.words}>
        <span className={styles.title}>{title}</span>{' '}
        {text !== undefined && <span className={styles.text}>{text}</span>}
      </p>
      {actions !== undefined && <span className={styles.actions}>{actions}</span>}
    </div>
  );
}
