import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
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

/**
 * A button that acts only when it is held, with the pointer or with Space or Enter. It is released when the pointer
 * leaves it or it loses the focus.
 */
export function HoldButton({ holdMs, icon, disabledReason, onHeld, onLetGo, children }: HoldButtonProps) {
  const [isHolding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

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

  const isHoldKey = (event: KeyboardEvent): boolean => event.key === ' ' || event.key === 'Enter';
  return (
    <Button
      className={classes(styles.hold, isHolding && styles.holding)}
      icon={icon}
      disabledReason={disabledReason}
      onPointerDown={(event) => {
        if (event.button === 0) begin();
      }}
      onPointerUp={() => stop(true)}
      onPointerLeave={() => stop(true)}
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
