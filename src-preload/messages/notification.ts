import type { NotificationDelivery, NotifyChoice, NotifyOutcome } from '../notification.ts';

/** The column names in the table of rules. */
export const outcomeNames: Readonly<Record<NotifyOutcome, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  timedOut: 'Timed out',
  alerts: 'Alerts',
};

/** The hint of each column, in one sentence. */
export const outcomeHints: Readonly<Record<NotifyOutcome, string>> = {
  completed: 'Completed and cancelled jobs and batches',
  failed: 'Failed jobs, and those without output, gone or with an unknown outcome',
  timedOut: 'Jobs that ran into their execution timeout',
  alerts: 'Alert rules, and refused keys and operations',
};

export const choiceNames: Readonly<Record<NotifyChoice, string>> = {
  notify: 'Notify',
  'with-sound': 'With sound',
  digest: 'Digest',
  'over-a-minute': 'Over 1 min',
  off: 'Off',
};

/** How a notification was delivered. Null if it was shown immediately. */
export function deliveryNote(delivery: NotificationDelivery): string | null {
  switch (delivery) {
    case 'due':
    case 'shown':
    case 'shown-together':
      return null;
    case 'held':
      return 'held during quiet hours';
    case 'gathered':
      return 'waits for the digest';
    case 'in-digest':
      return 'sent in a digest';
    case 'after-quiet-hours':
      return 'held by quiet hours';
    case 'undisturbed':
      return 'not shown on the desktop (do not disturb)';
    case 'watched':
      return 'not shown on the desktop (you had the job open)';
    case 'muted':
      return 'not shown on the desktop (its cause is muted)';
    case 'off':
      return 'your system showed none';
  }
}
