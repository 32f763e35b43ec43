import { podIdProblem } from '../../src-preload/pod-reading.ts';
import { workersText } from '../messages/pods/sections.tsx';

/** A worker pod that can be opened, with what the listing says of it. */
export interface WorkerLink {
  id: string;
  about: string;
}

/**
 * The pod ids in the listing of includeWorkers. Its form is not specified: an array, or an object of entries. Pure;
 * never throws on JSON.
 */
export function workersIn(workersJson: string): { workers: WorkerLink[]; others: number } {
  const value: unknown = JSON.parse(workersJson);
  const entries: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.values(value)
      : [];
  const workers = new Map<string, WorkerLink>();
  let others = 0;
  for (const entry of entries) {
    const fields = new Map<string, unknown>(typeof entry === 'object' && entry !== null ? Object.entries(entry) : []);
    const id = typeof entry === 'string' ? entry : fields.get('id');
    if (typeof id !== 'string' || podIdProblem(id) !== null) {
      others += 1;
      continue;
    }
    const about = [
      fields.get('desiredStatus'),
      fields.get('endpointId'),
      fields.get('slsVersion') == null ? null : workersText.version(String(fields.get('slsVersion'))),
    ].filter((part): part is string => typeof part === 'string' && part !== '');
    workers.set(id, { id, about: about.join(', ') });
  }
  return { workers: [...workers.values()], others };
}
