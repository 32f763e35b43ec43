import { formatCountOf } from '../design/format.ts';

/** What is said where the diagnosis found nothing: not that all is well while alerts fire. */
export function nothingFound(firingAlerts: number): string {
  return firingAlerts === 0 ? 'No issues found' : `${formatCountOf(firingAlerts, 'alert')} firing; nothing else found`;
}
