import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { commonText } from '../messages/common.ts';
import styles from './callout.module.css';

export interface CalloutProps {
  tone?: 'neutral' | 'warning' | 'error' | undefined;
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Shows a cross that closes it. */
  onDismiss?: () => void;
}

/** A message about the content around it. */
export function Callout({ tone = 'neutral', icon, title, children, actions, onDismiss }: CalloutProps) {
  return (
    <div className={classes(styles.callout, styles[tone])} role={tone === 'error' ? 'alert' : 'note'}>
      {icon}
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.text}>{children}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss !== undefined && (
        <IconButton
          label={commonText.dismiss}
          size="sm"
          hasSmallGlyph
          className={styles.dismiss}
          icon={<X />}
          onClick={onDismiss}
        />
      )}
    </div>
  );
}
