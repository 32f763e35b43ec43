import { TriangleAlert } from 'lucide-react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { useSession } from '../data/session-store.ts';
import { sandboxBadgeText } from '../messages/windows/main-window.ts';
import styles from './sandbox-badge.module.css';

/** `2 faults, 60x`: how the sandbox behaves differently from the service. Null if it does not. */
export function distortion(state: Pick<SandboxState, 'timeScale' | 'faults'> | null): string | null {
  if (state === null) return null;
  const on = state.faults.filter((fault) => fault.isOn).length;
  if (on === 0 && state.timeScale === 1) return null;
  return [
    ...(on > 0 ? [sandboxBadgeText.faults(on)] : []),
    ...(state.timeScale === 1 ? [] : [sandboxBadgeText.speed(state.timeScale)]),
  ].join(', ');
}

/** Shown in the title bar while the sandbox has unusual settings, as a reminder. */
export function SandboxBadge({ onShow }: { onShow?: (() => void) | undefined }) {
  const settings = useSession((state) => distortion(state.sandbox));
  if (settings === null) return null;
  const label = sandboxBadgeText.name(settings);
  if (onShow === undefined)
    return (
      <span className={styles.badge} role="status" aria-label={label}>
        <TriangleAlert />
        {settings}
      </span>
    );
  return (
    <Tooltip text={sandboxBadgeText.hint}>
      <button type="button" className={styles.badge} aria-label={label} onClick={onShow}>
        <TriangleAlert />
        {settings}
      </button>
    </Tooltip>
  );
}
