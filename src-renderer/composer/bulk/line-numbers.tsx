import { useEffect, useMemo, useState, type ReactElement, type RefObject } from 'react';
import { classes } from '../../design/class-names.ts';
import { useBulk } from './bulk-store.ts';
import styles from './many-inputs.module.css';

/** The height of a line of the field (many-inputs.module.css). Pixels. */
const linePx = 21;
/** Above the first line. Pixels. */
const paddingPx = 10;

/** The numbers of the lines in view beside the field, those of invalid rows in the colour of a failure. */
export function LineNumbers({ field }: { field: RefObject<HTMLTextAreaElement | null> }): ReactElement {
  const text = useBulk((state) => state.text);
  const bad = useBulk((state) => state.parsed.bad);
  const [view, setView] = useState({ top: 0, height: 0 });
  useEffect(() => {
    const shown = field.current;
    if (shown === null) return undefined;
    const read = (): void => setView({ top: shown.scrollTop, height: shown.clientHeight });
    const resized = new ResizeObserver(read);
    resized.observe(shown);
    shown.addEventListener('scroll', read, { passive: true });
    return () => {
      resized.disconnect();
      shown.removeEventListener('scroll', read);
    };
  }, [field]);
  const lines = useMemo(() => countLines(text), [text]);
  const badLines = useMemo(() => new Set(bad.map(({ line }) => line)), [bad]);
  const first = Math.max(0, Math.floor((view.top - paddingPx) / linePx));
  const count = Math.max(0, Math.min(lines - first, Math.ceil(view.height / linePx) + 2));
  return (
    <div className={styles.numbers} style={{ height: view.height }} aria-hidden>
      <ol style={{ transform: `translateY(${first * linePx - view.top}px)` }}>
        {Array.from({ length: count }, (_, at) => first + at + 1).map((line) => (
          <li key={line} className={classes(badLines.has(line) && styles.badNumber)}>
            {line}
          </li>
        ))}
      </ol>
    </div>
  );
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
