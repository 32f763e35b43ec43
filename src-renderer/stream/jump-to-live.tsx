import { ArrowDown } from 'lucide-react';
import styles from './jump-to-live.module.css';

/** Shown above the end of a growing stream while the user reads an earlier part. */
export function JumpToLive({ onJump }: { onJump: () => void }) {
  return (
    <div className={styles.place}>
      <button type="button" className={styles.pill} onClick={onJump}>
        <ArrowDown aria-hidden="true" />
        Jump to live
      </button>
    </div>
  );
}
