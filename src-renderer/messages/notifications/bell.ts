import { formatCount } from '../../../src-preload/format.ts';

/** The button that opens the notification centre. */
export function bellLabel(unseen: number): string {
  return unseen === 0 ? 'Notifications' : `Notifications, ${formatCount(unseen)} not seen`;
}
