import type { ReactElement, ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Tooltip } from '../design/tooltip.tsx';
import styles from './sidebar.module.css';

export interface SidebarLineProps {
  name: string;
  icon: ReactNode;
  /** Zero is not drawn, unless `isZeroShown`. */
  count?: number | null | undefined;
  isZeroShown?: boolean;
  /** Shown instead of the count. */
  note?: string | null | undefined;
  /** As the note, but coloured, for what the user should notice. */
  news?: string | null | undefined;
  isFolded: boolean;
  isOn: boolean;
  onGo: () => void;
}

/**
 * A line of the sidebar: a name with a count or a note. In a folded sidebar it is an icon with the name as a tooltip.
 */
export function SidebarLine({
  name,
  icon,
  count = null,
  isZeroShown = false,
  note = null,
  news = null,
  isFolded,
  isOn,
  onGo,
}: SidebarLineProps) {
  const counted = count !== null && (count > 0 || isZeroShown) ? formatCount(count) : null;
  const end = news ?? note ?? counted;
  return (
    <Named name={news === null ? name : `${name}: ${news}`} isShown={isFolded}>
      <button
        type="button"
        className={classes(styles.view, isOn && styles.on)}
        aria-current={isOn ? 'page' : undefined}
        aria-label={isFolded ? name : undefined}
        aria-description={end ?? undefined}
        onClick={onGo}
      >
        {icon}
        {!isFolded && <span>{name}</span>}
        {!isFolded && end !== null && (
          <span className={classes(styles.count, news !== null && styles.warned)} aria-hidden="true">
            {end}
          </span>
        )}
        {isFolded && news !== null && <span className={classes(styles.alert, styles.amber)} />}
      </button>
    </Named>
  );
}

function Named({ name, isShown, children }: { name: ReactNode; isShown: boolean; children: ReactElement }) {
  return isShown ? (
    <Tooltip text={name} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
}
