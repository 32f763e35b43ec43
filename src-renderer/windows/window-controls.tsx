import { Copy, Minus, Square, X } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { isMac } from '../design/keyboard/platform.ts';
import { useSession } from '../data/session-store.ts';
import { windowControlText } from '../messages/windows/main-window.ts';
import styles from './title-bar.module.css';

/** Minimise, maximise and close, on the right of the title bar. macOS draws its own on the left. */
export function WindowControls() {
  const isMaximized = useSession((state) => state.windowIsMaximized);
  if (isMac) return null;
  return (
    <div className={styles.controls}>
      <button
        type="button"
        aria-label={windowControlText.minimise}
        onClick={() => callOrReport('window:minimize', undefined)}
      >
        <Minus />
      </button>
      <button
        type="button"
        aria-label={isMaximized ? windowControlText.restore : windowControlText.maximise}
        onClick={() => callOrReport('window:toggleMaximize', undefined)}
      >
        {isMaximized ? <Copy /> : <Square />}
      </button>
      <button
        type="button"
        aria-label={windowControlText.close}
        className={styles.close}
        onClick={() => callOrReport('window:close', undefined)}
      >
        <X />
      </button>
    </div>
  );
}
