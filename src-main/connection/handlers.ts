import type { Handlers } from '../../src-preload/contract.ts';
import type { Connection } from '../../src-preload/connection.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Connections } from './connections.ts';
import type { S3Profiles } from './s3-profiles.ts';

type ConnectionCall = Extract<keyof Handlers, `connection:${string}` | `s3:${string}`>;

/** Handlers of the connection and s3 calls. */
export function connectionHandlers(parts: {
  connections: Connections;
  s3Profiles: S3Profiles;
  openSandbox: () => Promise<Result<Connection>>;
}): Pick<Handlers, ConnectionCall> {
  const { connections, s3Profiles, openSandbox } = parts;
  return {
    'connection:list': () => connections.list(),
    'connection:save': (input) => connections.save(input),
    'connection:remove': ({ connectionId }) => connections.remove(connectionId),
    'connection:deleteKey': ({ connectionId }) => connections.deleteKey(connectionId),
    'connection:addressNeeds': (input) => connections.addressNeeds(input),
    'connection:check': (input) => connections.check(input),
    'connection:openSandbox': () => openSandbox(),
    's3:list': () => s3Profiles.list(),
    's3:save': (input) => s3Profiles.save(input),
    's3:remove': ({ id }) => s3Profiles.remove(id),
  };
}
