import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../design/format.ts';
import type { TextSource } from './stream-log.ts';
import { createTextRows } from './text-rows.ts';
import type { TextRows } from './text-rows.ts';
import { useFixedRows } from './use-fixed-rows.ts';
import { useFollow } from './use-follow.ts';
import styles from './live-text.module.css';

const rowPx = 19;
/** Work done a frame before the rest waits for the next one. */
const sliceMs = 6;

/**
 * Text of any length as virtualised rows of one height. It only ever grows, is cut into rows in slices of a frame,
 * and is cut again when the width changes.
 */
export function PlainText({ source, version, isFollowing, onFollowChange }: { source: TextSource; version: unknown; isFollowing: boolean; onFollowChange: (isFollowing: boolean) => void }) {
  const [columns, setColumns] = useState<number | null>(null);
  const { rows, count } = useRows(source, version, columns);
  const { scroller, isScrolled, onScroll } = useFollow(count, isFollowing, onFollowChange);
  const view = useFixedRows(scroller, count, rowPx);
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

  const shown: number[] = [];
  for (let index = view.from; index < view.to; index += 1) shown.push(index);
  return (
    <div ref={scroller} className={styles.scroller} data-scrolled={isScrolled || undefined} onScroll={() => { onScroll(); view.onScroll(); }} tabIndex={0} role="document" aria-label="Output text">
      <span ref={probe} className={styles.probe} aria-hidden="true">0123456789</span>
      {view.skipped > 0 && <p className={styles.note}>The first {formatCount(view.skipped)} lines are not shown; Copy output holds them all.</p>}
      <div className={styles.rows} style={{ height: view.heightPx }}>
        {shown.map((index) => (
          <div key={index} className={styles.line} style={{ transform: `translateY(${index * rowPx}px)` }}>{rows?.rows[index + view.skipped]}</div>
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
