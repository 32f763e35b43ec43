import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import styles from './splitter.module.css';

/** How far an arrow key moves the edge. */
const stepPx = 16;

export interface SplitterProps {
  /** What it resizes, such as `Width of the list`. */
  label: string;
  /** The side of the edge that the pane with this width is on. */
  side?: 'left' | 'right' | undefined;
  /** The drawn width of the pane. */
  widthPx: number;
  minPx: number;
  maxPx: number;
  /** Called while the edge is dragged. */
  onResize: (widthPx: number) => void;
  /** Called with the width to save, or null for the design's width. */
  onKeep: (widthPx: number | null) => void;
  /** Called on a double click or Enter, instead of setting the design's width. */
  onFit?: (() => void) | undefined;
}

/**
 * The edge between two panes. It is dragged or moved with the arrow keys. A double click or Enter restores the design's
 * width, or calls `onFit`.
 */
export function Splitter({ label, side = 'left', widthPx, minPx, maxPx, onResize, onKeep, onFit }: SplitterProps) {
  const drag = useRef<{ fromX: number; fromPx: number; lastPx: number } | null>(null);
  /** How much wider the pane is after the edge moved one pixel to the right. */
  const way = side === 'left' ? 1 : -1;
  const within = (px: number): number => Math.round(Math.min(maxPx, Math.max(minPx, px)));

  const reset = (): void => (onFit === undefined ? onKeep(null) : onFit());

  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { fromX: event.clientX, fromPx: widthPx, lastPx: widthPx };
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (drag.current === null) return;
    drag.current.lastPx = within(drag.current.fromPx + way * (event.clientX - drag.current.fromX));
    onResize(drag.current.lastPx);
  };
  const end = (): void => {
    if (drag.current !== null && drag.current.lastPx !== drag.current.fromPx) onKeep(drag.current.lastPx);
    drag.current = null;
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = way * stepPx;
    const px = { ArrowLeft: widthPx - step, ArrowRight: widthPx + step, Home: minPx, End: maxPx }[event.key];
    if ((px === undefined && event.key !== 'Enter') || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (px === undefined) reset();
    else onKeep(within(px));
  };

  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(widthPx)}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      className={styles.splitter}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={reset}
      onKeyDown={press}
    />
  );
}
