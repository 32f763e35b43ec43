import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import styles from './hold-button.module.css';

export interface HoldButtonProps {
  holdMs: number;
  icon?: ReactNode;
  /** Why the button cannot be used now. */
  disabledReason?: string | undefined;
  /** Called once, when the button was held long enough. */
  onHeld: () => void;
  /** Called when the button was released too early. */
  onLetGo: () => void;
  children: ReactNode;
}

/** How far a hand may tremble outside the button before it counts as having left it. */
const tremblePx = 8;

/**
 * A button that acts only when it is held, with the pointer or with Space or Enter. It is released when the pointer is
 * moved away from it or it loses the focus. A button that moves under a pointer that rests is still held.
 */
export function HoldButton({ holdMs, icon, disabledReason, onHeld, onLetGo, children }: HoldButtonProps) {
  const [isHolding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const start = useRef({ x: 0, y: 0 });

  const stop = useCallback(
    (isLetGo: boolean): void => {
      if (timer.current === null) return;
      clearTimeout(timer.current);
      timer.current = null;
      setHolding(false);
      if (isLetGo) onLetGo();
    },
    [onLetGo],
  );
  const begin = (): void => {
    if (timer.current !== null || disabledReason !== undefined) return;
    setHolding(true);
    timer.current = setTimeout(() => {
      stop(false);
      onHeld();
    }, holdMs);
  };
  useEffect(() => {
    if (disabledReason !== undefined) stop(false);
  }, [disabledReason, stop]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );

  const isAway = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): boolean => {
    const { left, top, right, bottom } = currentTarget.getBoundingClientRect();
    const { x, y } = start.current;
    const hasMoved = Math.hypot(clientX - x, clientY - y) > tremblePx;
    const isOutside = Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom) > tremblePx;
    return hasMoved && isOutside;
  };
  const isHoldKey = (event: KeyboardEvent): boolean => event.key === ' ' || event.key === 'Enter';
  return (
    <Button
      className={classes(styles.hold, isHolding && styles.holding)}
      icon={icon}
      disabledReason={disabledReason}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY };
        begin();
      }}
      onPointerMove={(event) => {
        if (isAway(event)) stop(true);
      }}
      onPointerUp={() => stop(true)}
      onPointerCancel={() => stop(true)}
      onBlur={() => stop(true)}
      onKeyDown={(event) => {
        if (!isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) begin();
      }}
      onKeyUp={(event) => {
        if (isHoldKey(event)) stop(true);
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span
        className={styles.fill}
        style={isHolding ? { transitionDuration: `${holdMs}ms` } : undefined}
        aria-hidden="true"
      />
      {children}
    </Button>
  );
}
