import { CircleAlert, X } from 'lucide-react';
import { createContext, useContext, type ReactNode } from 'react';
import { classes } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { commonText } from '../messages/common.ts';
import styles from './banner.module.css';

type BannerTone = 'offline' | 'warning' | 'error' | 'info';

export interface BannerProps {
  tone: BannerTone;
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** Details are shown below the text, so the icon and the actions stay beside its first line. */
  isOpen?: boolean;
}

/** What a banner shows after its own actions: how many more there are. Null for nothing. */
export const AfterActions = createContext<ReactNode>(null);

/** A state of the window, at its top. */
export function Banner({ tone, icon, title, text, actions, isOpen = false }: BannerProps) {
  const after = useContext(AfterActions);
  return (
    <div
      className={classes(styles.banner, styles[tone], isOpen && styles.open)}
      role={tone === 'error' ? 'alert' : 'status'}
    >
      {icon}
      <p className={styles.words}>
        <span className={styles.title}>{title}</span>{' '}
        {text !== undefined && <span className={styles.text}>{text}</span>}
      </p>
      {(actions !== undefined || after !== null) && (
        <span className={styles.actions}>
          {actions}
          {after}
        </span>
      )}
    </div>
  );
}

/** Shows a failure where the action was requested. Nothing while `problem` is null. */
export function ProblemBanner({ problem, onDismiss }: { problem: string | null; onDismiss: () => void }) {
  if (problem === null) return null;
  return (
    <Banner
      tone="error"
      icon={<CircleAlert />}
      title={problem}
      actions={<IconButton label={commonText.dismiss} size="sm" hasSmallGlyph icon={<X />} onClick={onDismiss} />}
    />
  );
}
