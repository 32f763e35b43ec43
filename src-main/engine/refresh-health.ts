import type { Connection } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';

/** Endpoints asked at the same time: a connection may have two hundred. */
const atOnce = 6;

/**
 * Why nothing is sent on this connection until its user gives it a key; null when requests may leave. A refused key is
 * tried again (ruling 35).
 */
export function whyClosed({ id, state }: Pick<Connection, 'id' | 'state'>): Failure | null {
  if (state.kind !== 'no-key') return null;
  return {
    kind: 'no-key',
    connectionId: id,
    message: 'No key is kept for this connection. Add one in Settings; what you typed stays.',
  };
}

/**
 * Reads the health of each endpoint once with `read`; what came is told by whoever reads. Fails only where none came,
 * with what the first endpoint met.
 */
export async function refreshHealth(
  connection: Connection,
  read: (endpointId: string) => Promise<Result<unknown>>,
): Promise<Result<null>> {
  const closed = whyClosed(connection);
  if (closed !== null) return failed(closed);
  const answers: Result<unknown>[] = [];
  for (let from = 0; from < connection.endpoints.length; from += atOnce) {
    answers.push(...(await Promise.all(connection.endpoints.slice(from, from + atOnce).map(({ id }) => read(id)))));
  }
  const [first] = answers;
  return first === undefined || first.ok || answers.some((answer) => answer.ok) ? ok(null) : failed(first.failure);
}
