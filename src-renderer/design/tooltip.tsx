import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

/** Groups tooltips, so that the next one in a row opens immediately. Rendered once, at the root. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={500} closeDelay={0} timeout={300}>
      {children}
    </Base.Provider>
  );
}

interface TooltipProps {
  text: ReactNode;
  keys?: readonly string[] | undefined;
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/**
 * A short text for the control inside. `children` is one element that accepts a ref. It stays the same element where
 * the text comes and goes, so that it keeps the focus.
 */
export function Tooltip({ text, keys, children, side = 'bottom' }: TooltipProps) {
  return (
    <Base.Root disabled={text === undefined || text === null || text === ''}>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.tooltip}>
            {text}
            {keys !== undefined && <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
