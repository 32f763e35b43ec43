import type { TrackerState } from '../../src-preload/app.ts';
import { refusalsOf } from './refusals.ts';
import type { Refusal } from './refusals.ts';

/** What is refused again within this time of being taken is no news (ruling 35: the user is told once). */
const quietMs = 10 * 60_000;

/** What was told of refusals: by what is refused, null while it is, else since when it is taken again. */
export type ToldRefusals = ReadonlyMap<string, number | null>;

export interface RefusalNews {
  /** What to tell now: one notification for each. */
  tell: Refusal[];
  told: ToldRefusals;
}

/**
 * What is news of `state`: a refusal that is not told yet, and did not only go away for less than ten minutes. What was
 * refused before `startedAtMs`, when Jobdeck came up, was told by the Jobdeck that ran then. Pure.
 */
export function refusalNews(
  told: ToldRefusals,
  state: Pick<TrackerState, 'connections' | 'closures'>,
  nowMs: number,
  startedAtMs: number,
): RefusalNews {
  const refused = idsOf(state);
  const isNew = (id: string, sinceMs: number): boolean => {
    if (sinceMs < startedAtMs) return false;
    const takenSinceMs = told.get(id);
    if (takenSinceMs === undefined) return true;
    return takenSinceMs !== null && nowMs - takenSinceMs >= quietMs;
  };
  const tell = refusalsOf(state).flatMap((refusal): Refusal[] => {
    if (refusal.kind === 'key') return isNew(refusal.connectionId, refusal.sinceMs) ? [refusal] : [];
    const closures = refusal.closures.filter((closure) => isNew(idOf(closure), closure.sinceMs));
    return closures.length === 0 ? [] : [{ ...refusal, closures }];
  });
  const next = new Map<string, number | null>([...refused].map((id) => [id, null]));
  for (const [id, takenSinceMs] of told) {
    if (refused.has(id)) continue;
    const sinceMs = takenSinceMs ?? nowMs;
    if (nowMs - sinceMs < quietMs) next.set(id, sinceMs);
  }
  return { tell, told: next };
}

/** All that is refused, also what a refused key stands for: once the key is taken, what was told by it is no news. */
function idsOf({ connections, closures }: Pick<TrackerState, 'connections' | 'closures'>): Set<string> {
  const keys = connections.filter(({ state }) => state.kind === 'key-refused').map(({ connectionId }) => connectionId);
  return new Set([...keys, ...closures.map(idOf)]);
}

function idOf({
  connectionId,
  endpointId,
  operation,
}: {
  connectionId: string;
  endpointId: string;
  operation: string;
}): string {
  return `${connectionId}/${endpointId}/${operation}`;
}
