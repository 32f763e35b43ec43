import { classes } from './class-names.ts';
import { useAfterPause } from './use-pause.ts';
import { commonText } from '../messages/common.ts';
import styles from './skeleton.module.css';

const widths = [
  [72, 44, 40],
  [58, 38, 32],
  [80, 50, 44],
  [49, 36, 28],
  [66, 46, 40],
] as const;

/**
 * Placeholder rows in the real geometry: not drawn for 120 ms, then without shimmer (design language: Loading). Their
 * room is kept from the first frame on, so that nothing below moves. `isDrawn`: the 120 ms have passed already.
 */
export function SkeletonRows({ count, height, isDrawn = false }: { count: number; height: number; isDrawn?: boolean }) {
  const isPauseOver = useAfterPause();
  return (
    <div role="status" aria-label={commonText.loading} className={classes(!isDrawn && !isPauseOver && styles.undrawn)}>
      {Array.from({ length: count }, (_, index) => {
        const [first, second, last] = widths[index % widths.length] ?? widths[0];
        return (
          <div key={index} className={styles.row} style={{ height }}>
            <i className={styles.glyph} />
            <div>
              <i className={styles.line} style={{ width: `${first}%` }} />
              {height > 40 && <i className={styles.second} style={{ width: `${second}%` }} />}
            </div>
            <i className={styles.line} style={{ width: last }} />
          </div>
        );
      })}
    </div>
  );
}
