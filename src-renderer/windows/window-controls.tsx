import { Copy, Minus, Square, X } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { isMac } from '../design/platform.ts';
import { useSession } from '../data/session-store.ts';
import styles from './title-bar.module.css';

/** Minimise, maximise and close, on the right of the title bar. macOS draws its own on the left. */
export function WindowControls() {
  const isMaximized = useSession((state) => state.windowIsMaximized);
  if (isMac) return null;
  return (
    <div className={styles.controls}>
      <button type="button" aria-label="Minimise" onClick={() => callOrReport('window:minimize', undefined)}>
        <Minus />
      </button>
      <button
        type="button"
        aria-label={isMaximized ? 'Restore' : 'Maximise'}
        onClick={() => callOrReport('window:toggleMaximize', undefined)}
      >
        {isMaximized ? <Copy /> : <Square />}
      </button>
      <button
        type="button"
        aria-label="Close"
        className={styles.close}
        onClick={() => callOrReport('window:close', undefined)}
      >
        <X />
      </button>
    </div>
  );
}
