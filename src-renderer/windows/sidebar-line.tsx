import type { ReactElement, ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../design/format.ts';
import { Tooltip } from '../design/tooltip.tsx';
import styles from './sidebar.module.css';

export interface SidebarLineProps {
  name: string;
  icon: ReactNode;
  /** How many there are. Zero is not drawn, unless `isZeroShown`. */
  count?: number | null | undefined;
  isZeroShown?: boolean;
  /** In place of the count. */
  note?: string | null | undefined;
  /** As the note, but it has colour: something the user should see. */
  news?: string | null | undefined;
  isFolded: boolean;
  isOn: boolean;
  onGo: () => void;
}

/** A place of the sidebar: its name with a count or a word, or folded its icon with the name beside the pointer. */
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
