import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode, type RefObject } from 'react';
import type { PaneName } from '../../src-preload/settings.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { classes } from '../design/class-names.ts';
import { Splitter } from '../design/splitter.tsx';
import { paneWidthText } from '../messages/navigation.tsx';
import { panes, paneWidth } from './pane-layout.ts';
import styles from './pane-split.module.css';

/**
 * The width of a pane that the user chose (null: the design's) or is choosing, the function for while the edge is
 * dragged, and the one that saves a width, or that there is none.
 */
export function useChosenWidth(
  pane: PaneName,
): [widthPx: number | null, resize: (px: number) => void, keep: (px: number | null) => void] {
  const savedPx = useSession((state) => state.settings.paneWidthsPx[pane] ?? null);
  const [draggedPx, setDraggedPx] = useState<number | null>(null);
  const keep = (px: number | null): void => {
    setDraggedPx(null);
    void chooseSettings({ paneWidthsPx: { [pane]: px } });
  };
  return [draggedPx ?? savedPx, setDraggedPx, keep];
}

interface PaneSplitProps {
  /** The pane that has a width. The other has the rest. */
  pane: PaneName;
  /** A grid whose columns are `var(--pane)` and the rest, in the order of the sides. */
  className: string | undefined;
  /** Hides the edge while the panes are not side by side. */
  edgeClass?: string | undefined;
  /** False while there is none: then there is no edge either. */
  left: ReactNode;
  /** As with `left`. */
  right: ReactNode;
}

/** Two panes side by side, with an edge between them that can be moved. */
export function PaneSplit({ pane, className, edgeClass, left, right }: PaneSplitProps) {
  const { side, gapPx } = panes[pane];
  const [frame, widthPx] = useContentWidthPx();
  const roomPx = widthPx - gapPx;
  const [chosenPx, resize, keep] = useChosenWidth(pane);
  const { px, minPx, maxPx } = paneWidth(pane, chosenPx, roomPx, window.innerWidth);
  const style: CSSProperties & Record<`--${string}`, string> = { '--pane': `${px}px`, '--pane-gap': `${gapPx}px` };
  return (
    <div ref={frame} className={classes(styles.split, className)} style={style}>
      {left}
      {left !== false && right !== false && (
        <div className={classes(styles.edge, styles[side], edgeClass)}>
          <Splitter
            label={paneWidthText[pane]}
            side={side}
            widthPx={px}
            minPx={minPx}
            maxPx={maxPx}
            onResize={resize}
            onKeep={keep}
          />
        </div>
      )}
      {right}
    </div>
  );
}

/** A reference for an element, and the width inside of its padding. Before it is drawn: that of the window. */
function useContentWidthPx(): [element: RefObject<HTMLDivElement | null>, widthPx: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(() => window.innerWidth);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const paddingPx = parseFloat(paddingLeft) + parseFloat(paddingRight);
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth - paddingPx));
    setWidthPx(element.clientWidth - paddingPx);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, widthPx];
}
