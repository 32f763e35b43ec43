import type { DatabaseSync } from 'node:sqlite';
import { readBlocks } from './health-blocks.ts';
import { joinPoints, packPoints, pointsSince } from './health-points.ts';
import type { PackedSeries } from './health-points.ts';
import { readingsSince } from './health-samples.ts';
import { hourMs, minuteMs } from './health-thinning.ts';
import { statement, text } from './row.ts';

/**
 * What is kept of an endpoint (null: of each endpoint of the connection that was ever read) and reaches into the time
 * from `sinceMs` on: hours, then minutes, then readings, which is oldest first. Endpoints without any are left out.
 */
export function healthSeries(
  db: DatabaseSync,
  connectionId: string,
  endpointId: string | null,
  sinceMs: number,
): PackedSeries[] {
  return endpointsOf(db, connectionId, endpointId)
    .map((id) => ({
      connectionId,
      endpointId: id,
      points: pointsSince(
        joinPoints([
          ...readBlocks(db, connectionId, id, hourMs, sinceMs),
          ...readBlocks(db, connectionId, id, minuteMs, sinceMs),
          packPoints(readingsSince(db, connectionId, id, sinceMs)),
        ]),
        sinceMs,
      ),
    }))
    .filter(({ points }) => points.length > 0);
}

function endpointsOf(db: DatabaseSync, connectionId: string, endpointId: string | null): string[] {
  if (endpointId !== null) return [endpointId];
  return statement(db, 'SELECT endpoint_id FROM health_latest WHERE connection_id = ? ORDER BY endpoint_id')
    .all(connectionId)
    .map((row) => text(row, 'endpoint_id'));
}
