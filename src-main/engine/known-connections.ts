import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { isSameHost } from '../service/address.ts';

/** What was last seen of all connections, for decisions that cannot wait for a read. */
export interface KnownConnections {
  /**
   * Takes all connections as they now stand. Answers the ids of those that are new, and of those that are gone; the
   * first time none.
   */
  learn(all: readonly Connection[]): { added: string[]; removed: string[] };
  /** Why a job cannot be followed as long as the connections stand so; null when it can. */
  whyNotFollowed(job: { connectionId: string; baseUrl: string }): 'no-connection' | 'elsewhere' | null;
  /**
   * The name the user gave an endpoint, else its id. Kept for connections that are gone: their jobs are still shown.
   */
  endpointName(connectionId: string, endpointId: string): string;
  /** The name the user gave a connection; empty where it was never seen. */
  connectionName(connectionId: string): string;
}

export function createKnownConnections(): KnownConnections {
  const labels = new Map<string, string>();
  const names = new Map<string, string>();
  /** Where each connection's key may be sent; not for the sandbox, whose address is Jobdeck's own matter. */
  const homes = new Map<string, string>();
  /** Null until the connections were read once. */
  let ids: ReadonlySet<string> | null = null;

  return {
    learn(all) {
      const former = ids;
      const present = new Set(all.map(({ id }) => id));
      ids = present;
      for (const connection of all) {
        names.set(connection.id, connection.name);
        if (!connection.isSandbox) homes.set(connection.id, connection.baseUrl);
        for (const endpoint of connection.endpoints)
          labels.set(endpointKey(connection.id, endpoint.id), endpoint.label);
      }
      return former === null
        ? { added: [], removed: [] }
        : {
            added: [...present].filter((id) => !former.has(id)),
            removed: [...former].filter((id) => !present.has(id)),
          };
    },
    whyNotFollowed({ connectionId, baseUrl }) {
      if (ids !== null && !ids.has(connectionId)) return 'no-connection';
      const home = homes.get(connectionId);
      return home === undefined || home === baseUrl || isSameHost(home, baseUrl) ? null : 'elsewhere';
    },
    endpointName(connectionId, endpointId) {
      const label = labels.get(endpointKey(connectionId, endpointId)) ?? '';
      return label === '' ? endpointId : label;
    },
    connectionName: (connectionId) => names.get(connectionId) ?? '',
  };
}
