import type { DatabaseSync } from 'node:sqlite';
import type { RequestRecord } from '../../../src-preload/job.ts';
import { number, numberOrNull, oneOf, statement, text, textOrNull } from '../file/row.ts';

const methods = ['GET', 'POST'] as const;

/** Adds request records of a job. The caller updates the job's count. */
export function insertRequests(db: DatabaseSync, rowId: number, requests: readonly Omit<RequestRecord, 'id'>[]): void {
  const insert = statement(
    db,
    `INSERT INTO requests
      (job, at_ms, method, operation, path, http_status, took_ms, bytes_received, failure_kind, note)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const request of requests) {
    insert.run(
      rowId,
      request.atMs,
      request.method,
      request.operation,
      request.path,
      request.httpStatus,
      request.tookMs,
      request.bytesReceived,
      request.failureKind,
      request.note,
    );
  }
}

/** Those of the requests that are not among the known ones. */
export function missingRequests<T extends Omit<RequestRecord, 'id'>>(
  known: readonly Omit<RequestRecord, 'id'>[],
  requests: readonly T[],
): T[] {
  const nameOf = ({ atMs, method, path, tookMs }: Omit<RequestRecord, 'id'>): string =>
    JSON.stringify([atMs, method, path, tookMs]);
  const names = new Set(known.map(nameOf));
  return requests.filter((request) => !names.has(nameOf(request)));
}

/** All requests made for a job, oldest first. */
export function readRequests(db: DatabaseSync, rowId: number): RequestRecord[] {
  return statement(db, 'SELECT * FROM requests WHERE job = ? ORDER BY id')
    .all(rowId)
    .map((row) => ({
      id: number(row, 'id'),
      atMs: number(row, 'at_ms'),
      method: oneOf(row, 'method', methods),
      operation: text(row, 'operation'),
      path: text(row, 'path'),
      httpStatus: numberOrNull(row, 'http_status'),
      tookMs: number(row, 'took_ms'),
      bytesReceived: number(row, 'bytes_received'),
      failureKind: textOrNull(row, 'failure_kind'),
      note: textOrNull(row, 'note'),
    }));
}
