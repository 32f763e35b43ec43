import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TextSource } from './stream-log.ts';
import { createTextRows } from './text-rows.ts';
import type { TextRows } from './text-rows.ts';
import { useFollow } from './use-follow.ts';
import styles from './live-text.module.css';

const rowPx = 19;
/** Work done a frame before the rest waits for the next one. */
const sliceMs = 6;
/** Browsers stop laying out near 33,000,000 px. */
const mostRows = 1_600_000;

/**
 * Text of any length as virtualised rows of one height. It only ever grows, is cut into rows in slices of a frame,
 * and is cut again when the width changes.
 */
export function PlainText({ source, version, isFollowing, onFollowChange }: { source: TextSource; version: unknown; isFollowing: boolean; onFollowChange: (isFollowing: boolean) => void }) {
  const [columns, setColumns] = useState<number | null>(null);
  const { rows, count } = useRows(source, version, columns);
  const { scroller, isScrolled, onScroll } = useFollow(count, isFollowing, onFollowChange);
  const probe = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const element = scroller.current;
    const cell = (probe.current?.getBoundingClientRect().width ?? 0) / 10;
    if (element === null || cell === 0) return undefined;
    const measure = (): void => {
      const style = getComputedStyle(element);
      setColumns(Math.floor((element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / cell));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  const skipped = Math.max(0, count - mostRows);
  const virtualizer = useVirtualizer({ count: count - skipped, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 12 });
  return (
    <div ref={scroller} className={styles.scroller} data-scrolled={isScrolled || undefined} onScroll={onScroll} tabIndex={0} role="document" aria-label="Output text">
      <span ref={probe} className={styles.probe} aria-hidden="true">0123456789</span>
      {skipped > 0 && <p className={styles.note}>The first {skipped.toLocaleString('en-US')} lines are not shown; Copy output holds them all.</p>}
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <div key={item.key} className={styles.line} style={{ transform: `translateY(${item.start}px)` }}>{rows?.rows[item.index + skipped]}</div>
        ))}
      </div>
    </div>
  );
}

/** Cuts what is new of `source` a few milliseconds at a time. */
function useRows(source: TextSource, version: unknown, columns: number | null): { rows: TextRows | null; count: number } {
  const state = useMemo(() => (columns === null ? null : { source, rows: createTextRows(columns), taken: 0 }), [source, columns]);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (state === null) return undefined;
    let frame = 0;
    const work = (): void => {
      const until = performance.now() + sliceMs;
      while (state.taken < state.source.segments.length && performance.now() < until) {
        state.rows.append(state.source.segments[state.taken] ?? '');
        state.taken += 1;
      }
      setCount(state.rows.rows.length);
      if (state.taken < state.source.segments.length) frame = requestAnimationFrame(work);
    };
    work();
    return () => cancelAnimationFrame(frame);
  }, [state, version]);
  return { rows: state?.rows ?? null, count: state === null ? 0 : Math.min(count, state.rows.rows.length) };
}
