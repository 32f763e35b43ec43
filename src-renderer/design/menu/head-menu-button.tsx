import { ChevronDown } from 'lucide-react';
import type { MouseEvent } from 'react';
import { headMenuText } from '../../messages/design.ts';
import { classes } from '../class-names.ts';
import styles from './head-menu-button.module.css';

export interface HeadMenuButtonProps {
  /** The title of the column. */
  column: string;
  /** At which end of the head it is: opposite to the title. */
  side: 'start' | 'end';
}

/**
 * The visible way to the menu of a column, which the right mouse button opens as well: a button within the head and its
 * `ContextMenu`. It is shown while the pointer or the focus is in the head.
 */
export function HeadMenuButton({ column, side }: HeadMenuButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles.button, styles[side])}
      aria-label={headMenuText.menuOf(column)}
      aria-haspopup="menu"
      onClick={openMenuBelow}
    >
      <ChevronDown aria-hidden="true" />
    </button>
  );
}

/** Opens the menu around an element below it. */
function openMenuBelow({ currentTarget }: MouseEvent<HTMLElement>): void {
  const { left, bottom } = currentTarget.getBoundingClientRect();
  currentTarget.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }),
  );
}
