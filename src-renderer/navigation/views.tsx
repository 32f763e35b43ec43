import { Activity, CircleCheck, Layers, OctagonX, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import type { JobView } from '../../src-preload/history.ts';
import type { Place } from '../data/query-to-job-filter.ts';
import { viewTitles } from '../messages/navigation.tsx';

export interface ViewEntry {
  view: JobView;
  title: string;
  icon: ReactNode;
  /** The second key, after G. */
  key: string;
}

/** The sidebar's views, in order. */
export const views: readonly ViewEntry[] = [
  { view: 'all', title: viewTitles.all, icon: <Layers />, key: 'A' },
  { view: 'active', title: viewTitles.active, icon: <Activity />, key: 'C' },
  {
    view: 'finished-today',
    title: viewTitles['finished-today'],
    icon: <CircleCheck />,
    key: 'D',
  },
  { view: 'failed', title: viewTitles.failed, icon: <OctagonX />, key: 'F' },
  { view: 'starred', title: viewTitles.starred, icon: <Star />, key: 'S' },
];

/** The name of a place in the title bar. */
export function placeTitle(place: Place, connection: Connection | null): string {
  if (place.endpointId !== null) {
    const endpoint = connection?.endpoints.find((one) => one.id === place.endpointId);
    return endpoint === undefined ? place.endpointId : endpointName(endpoint);
  }
  return viewTitles[place.view];
}
