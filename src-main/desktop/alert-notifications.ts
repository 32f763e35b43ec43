import { Notification } from 'electron';
import type { AlertNotification } from '../../src-preload/alert.ts';

export interface AlertNotifications {
  /** Shows an alert; false where the desktop shows no notifications. */
  show(alert: AlertNotification): boolean;
  close(): void;
}

/** Alerts as the desktop shows them; a click opens the health of the endpoint it tells of. */
export function createAlertNotifications({
  openHealth,
}: {
  openHealth: (connectionId: string, endpointId: string) => void;
}): AlertNotifications {
  // Electron drops a notification's click handler once the object is collected.
  const shown = new Set<Notification>();
  return {
    show({ title, body, connectionId, endpointId }) {
      if (!Notification.isSupported()) return false;
      const notification = new Notification({ title, body, silent: false });
      shown.add(notification);
      notification.on('click', () => openHealth(connectionId, endpointId));
      notification.on('close', () => shown.delete(notification));
      notification.show();
      return true;
    },
    close() {
      for (const notification of shown) notification.close();
    },
  };
}
