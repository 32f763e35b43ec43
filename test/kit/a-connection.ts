import type { Connection } from '../../src-preload/connection.ts';

/** A connection with a key and without endpoints, with the given fields changed. */
export function aConnection(changes: Partial<Connection> = {}): Connection {
  return {
    id: 'c1',
    name: 'Production',
    baseUrl: 'http://127.0.0.1:1',
    restUrl: '',
    authorization: 'bearer',
    endpoints: [],
    isSandbox: false,
    hasKey: true,
    plainHttp: [],
    state: { kind: 'ready' },
    createdAtMs: 0,
    ...changes,
  };
}
