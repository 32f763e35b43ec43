import { Copy, Minus, Square, X } from 'lucide-react';
import { call } from '../bridge.ts';
import { isMac } from '../design/platform.ts';
import { useSession } from '../data/session-store.ts';
import styles from './title-bar.module.css';

/** Minimise, maximise, close at the right of the title bar; macOS draws its own at the left. */
export function WindowControls() {
  const isMaximized = useSession((state) => state.windowIsMaximized);
  if (isMac) return null;
  return (
    <div className={styles.controls}>
      <button type="button" aria-label="Minimise" onClick={() => void call('window:minimize', undefined)}>
        <Minus />
      </button>
      <button
        type="button"
        aria-label={isMaximized ? 'Restore' : 'Maximise'}
        onClick={() => void call('window:toggleMaximize', undefined)}
      >
        {isMaximized ? <Copy /> : <Square />}
      </button>
      <button
        type="button"
        aria-label="Close"
        className={styles.close}
        onClick={() => void call('window:close', undefined)}
      >
        <X />
      </button>
    </div>
  );
}
