import type { Destination } from '../../src-preload/app.ts';
import { isFromElsewhere, statusKind, type Job } from '../../src-preload/job.ts';
import { outcomeOf } from '../../src-preload/notification.ts';

/** What can be done from a notification besides opening it. */
export type NotificationAction = 'retry' | 'edit' | 'copy-output';

/** A notification as the desktop shows it. */
export interface ShownNotification {
  /** Names it to the desktop, over restarts too: a click on an old one still leads to where it belongs. */
  id: number;
  title: string;
  body: string;
  hasSound: boolean;
  destination: Destination;
  /** What can be done about its job. */
  actions: NotificationAction[];
}

/** Shows one on the desktop; false where that shows none. */
export type ShowOnDesktop = (notification: ShownNotification) => boolean;

/**
 * What can be done about a job from its notification: a failed one is retried, or its input edited where that is here;
 * the output of a good one is copied.
 */
export function actionsFor(job: Job): NotificationAction[] {
  switch (outcomeOf(job)) {
    case 'failed':
    case 'timedOut':
      return [
        ...(job.phase === 'finished' ? ['retry' as const] : []),
        ...(isFromElsewhere(job) || statusKind(job) === 'unknown' ? [] : ['edit' as const]),
      ];
    case 'completed':
      return statusKind(job) === 'done' && job.outputBytes > 0 ? ['copy-output'] : [];
    case 'alerts':
      return [];
  }
}
