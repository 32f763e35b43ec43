import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { Kbd } from './keyboard/kbd.tsx';
import styles from './tooltip.module.css';

interface TooltipPopupProps {
  text: ReactNode;
  keys: readonly string[] | undefined;
  side: 'top' | 'bottom' | 'left' | 'right';
}

/** What a tooltip shows while it is open. */
export function TooltipPopup({ text, keys, side }: TooltipPopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className={styles.positioner}>
        <Base.Popup className={styles.tooltip}>
          {text}
          {keys !== undefined && <Kbd keys={keys} />}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
