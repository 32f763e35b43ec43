import { formatCountOf } from '../../src-preload/format.ts';

/** The text for a diagnosis without findings. While alerts fire it does not say that all is well. */
export function nothingFound(firingAlerts: number): string {
  return firingAlerts === 0 ? 'No issues found' : `${formatCountOf(firingAlerts, 'alert')} firing; nothing else found`;
}
