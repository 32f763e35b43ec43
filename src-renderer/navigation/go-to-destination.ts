import type { Destination } from '../../src-preload/destination.ts';
import { readListQuery } from '../data/written-list.ts';
import { openComposer } from './open-requests.ts';
import { compareSides, goToConnection, goToJob, goToNotifications, goToPlace, showPane } from './go.ts';

/** Shows in the main window what a notification, the tray, a menu or another window leads to. */
export function goToDestination(destination: Destination): void {
  switch (destination.kind) {
    case 'home':
      return;
    case 'job':
      return goToJob(destination.key);
    case 'batch':
      return goToPlace({ view: 'all', endpointId: null, batchId: destination.id });
    case 'failed':
      return goToPlace({ view: 'failed', endpointId: null });
    case 'list': {
      const { view, endpointId } = destination;
      return goToPlace({ view, endpointId }, readListQuery(destination));
    }
    case 'connection':
      return goToConnection(destination.id);
    case 'notifications':
      return goToNotifications();
    case 'new-job':
      return openComposer({ endpointId: null, ...destination });
    case 'edit-job':
      return openComposer({ jobKey: destination.key });
    case 'pane':
      return showPane({ kind: destination.pane });
    case 'compare':
      return compareSides(destination.sides);
    case 'health':
      goToConnection(destination.connectionId);
      return showPane({ kind: 'health', endpointId: destination.endpointId });
  }
}
