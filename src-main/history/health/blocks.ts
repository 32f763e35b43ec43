import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { EndpointRef } from '../../../src-preload/endpoint-key.ts';
import type { HealthPoint } from '../../../src-preload/health.ts';
import { bytes, number, statement } from '../file/row.ts';
import {
  beginOf,
  joinPoints,
  packPoints,
  pointsFromBytes,
  pointsToBytes,
  unpackPoints,
  type PackedPoints,
} from './points.ts';

/** The content of a block: an hour's minutes, or a day's hours. */
type BlockSpanMs = typeof minuteMs | typeof hourMs;
const blockMsOf = { [minuteMs]: hourMs, [hourMs]: dayMs } as const;

/** The blocks of an endpoint with points of one span. */
interface BlocksOf extends EndpointRef {
  spanMs: BlockSpanMs;
}

/** Adds points of one span after the saved ones, oldest first. */
export function addToBlocks(db: DatabaseSync, of: BlocksOf, points: readonly HealthPoint[]): void {
  const { connectionId, endpointId, spanMs } = of;
  const blocks = Map.groupBy(points, ({ atMs }) => beginOf(atMs, blockMsOf[spanMs]));
  for (const [fromMs, added] of blocks) {
    const known = statement(
      db,
      'SELECT points FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? AND from_ms = ?',
    ).get(connectionId, endpointId, spanMs, fromMs);
    const before = known === undefined ? [] : [pointsFromBytes(bytes(known, 'points'))];
    write(db, { connectionId, endpointId, spanMs, fromMs }, joinPoints([...before, packPoints(added)]));
  }
}

/** Removes and returns the points of whole blocks before `beforeMs`, a boundary of blocks, oldest first. */
export function takeBlocksBefore(db: DatabaseSync, of: BlocksOf, beforeMs: number): HealthPoint[] {
  const { connectionId, endpointId, spanMs } = of;
  const old = statement(
    db,
    'SELECT points FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? AND from_ms < ' +
      '? ORDER BY from_ms',
  )
    .all(connectionId, endpointId, spanMs, beforeMs)
    .flatMap((row) => unpackPoints(pointsFromBytes(bytes(row, 'points'))));
  removeBlocksBefore(db, of, beforeMs);
  return old;
}

/** Removes whole blocks before `beforeMs`, a boundary of blocks. */
export function removeBlocksBefore(db: DatabaseSync, of: BlocksOf, beforeMs: number): void {
  const { connectionId, endpointId, spanMs } = of;
  statement(
    db,
    'DELETE FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? AND from_ms < ?',
  ).run(connectionId, endpointId, spanMs, beforeMs);
}

/** The blocks with points since `sinceMs`, oldest first. The first may begin before it. */
export function readBlocks(db: DatabaseSync, of: BlocksOf, sinceMs: number): PackedPoints[] {
  const { connectionId, endpointId, spanMs } = of;
  return statement(
    db,
    'SELECT points FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? AND from_ms > ' +
      '? ORDER BY from_ms',
  )
    .all(connectionId, endpointId, spanMs, sinceMs - blockMsOf[spanMs])
    .map((row) => pointsFromBytes(bytes(row, 'points')));
}

/** Removes every point that includes any time after `atMs`. */
export function forgetBlocksAfter(db: DatabaseSync, connectionId: string, endpointId: string, atMs: number): void {
  for (const spanMs of [minuteMs, hourMs] as const) {
    const late = statement(
      db,
      'SELECT from_ms, points FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? ' +
        'AND from_ms > ?',
    ).all(connectionId, endpointId, spanMs, atMs - blockMsOf[spanMs]);
    for (const row of late) {
      const fromMs = number(row, 'from_ms');
      const left = unpackPoints(pointsFromBytes(bytes(row, 'points'))).filter(
        (point) => point.atMs + point.spanMs <= atMs,
      );
      if (left.length > 0) write(db, { connectionId, endpointId, spanMs, fromMs }, packPoints(left));
      else
        statement(
          db,
          'DELETE FROM health_blocks WHERE connection_id = ? AND endpoint_id = ? AND span_ms = ? AND from_ms = ?',
        ).run(connectionId, endpointId, spanMs, fromMs);
    }
  }
}

function write(
  db: DatabaseSync,
  { connectionId, endpointId, spanMs, fromMs }: BlocksOf & { fromMs: number },
  points: PackedPoints,
): void {
  statement(
    db,
    `INSERT INTO health_blocks (connection_id, endpoint_id, span_ms, from_ms, points) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (connection_id, endpoint_id, span_ms, from_ms) DO UPDATE SET points = excluded.points`,
  ).run(connectionId, endpointId, spanMs, fromMs, pointsToBytes(points));
}
