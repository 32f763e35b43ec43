import { ArrowDown } from 'lucide-react';
import { streamText } from '../messages/stream/output.tsx';
import styles from './jump-to-live.module.css';

/** Shown above the end of a growing stream while the user reads an earlier part. */
export function JumpToLive({ onJump }: { onJump: () => void }) {
  return (
    <div className={styles.place}>
      <button type="button" className={styles.pill} onClick={onJump}>
        <ArrowDown aria-hidden="true" />
        {streamText.jumpToLive}
      </button>
    </div>
  );
}
