import type { Destination } from '../../src-preload/destination.ts';
import { isExternal, statusKind, type Job } from '../../src-preload/job.ts';
import { outcomeOf } from '../../src-preload/notification.ts';

/** The actions of a notification, apart from opening it. */
export type NotificationAction = 'retry' | 'edit' | 'copy-output';

/** A notification in the form that the desktop shows. */
export interface ShownNotification {
  /** Identifies it to the desktop, over restarts too, so that a click on an old one still opens its subject. */
  id: number;
  title: string;
  body: string;
  hasSound: boolean;
  destination: Destination;
  /** The actions for its job. */
  actions: NotificationAction[];
}

/** Shows one on the desktop. Returns false if the desktop shows none. */
export type ShowOnDesktop = (notification: ShownNotification) => boolean;

/**
 * The actions for a job in its notification. A failed job can be retried, or edited if its input is saved. The output
 * of a completed one can be copied.
 */
export function actionsFor(job: Job): NotificationAction[] {
  switch (outcomeOf(job)) {
    case 'failed':
    case 'timedOut':
      return [
        ...(job.phase === 'finished' ? ['retry' as const] : []),
        ...(isExternal(job) || statusKind(job) === 'unknown' ? [] : ['edit' as const]),
      ];
    case 'completed':
      return statusKind(job) === 'done' && job.outputBytes > 0 ? ['copy-output'] : [];
    case 'alerts':
      return [];
  }
}
