import { Bell } from 'lucide-react';
import { useCall } from '../data/calls.ts';
import { IconButton } from '../design/icon-button.tsx';
import { bellLabel } from '../messages/windows/main-window.ts';
import styles from './bell.module.css';

/** Opens the notification centre. A dot shows that it has something new. */
export function NotificationBell({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const unseen = useCall('notification:unseen', undefined, { isKeptByEvents: true }).data?.unseen ?? 0;
  return (
    <span className={styles.bell}>
      <IconButton label={bellLabel(unseen)} icon={<Bell />} isOn={isOpen} onClick={onToggle} />
      {unseen > 0 && <span className={styles.dot} aria-hidden="true" />}
    </span>
  );
}
