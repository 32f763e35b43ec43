import { ArrowDown } from 'lucide-react';
import styles from './jump-to-live.module.css';

/** Floats above the end of a stream that goes on while the reader is elsewhere in it. */
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
