import type { Connection } from '../../src-preload/connection.ts';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { isSameHost } from '../service/address.ts';

/** What is known of all connections, for decisions that cannot wait for a read. */
export interface KnownConnections {
  /** Takes all current connections. Returns the ids of the new and the removed ones. The first time there are none. */
  learn(all: readonly Connection[]): { added: string[]; removed: string[] };
  /** Why a job cannot be tracked with the current connections, or null. */
  whyNotFollowed(job: { connectionId: string; baseUrl: string }): 'no-connection' | 'other-host' | null;
  /**
   * The name that the user gave to an endpoint, or else its id. Kept for removed connections, because their jobs are
   * still shown.
   */
  endpointName(endpoint: EndpointRef): string;
  /** The title rule that the user set for an endpoint. Empty if there is none. */
  titleRule(connectionId: string, endpointId: string): string;
  /** The name that the user gave to a connection. Empty if it is not known. */
  connectionName(connectionId: string): string;
}

/** Nothing is known yet. */
export function createKnownConnections(): KnownConnections {
  const labels = new Map<string, string>();
  const titleRules = new Map<string, string>();
  const names = new Map<string, string>();
  /**
   * The base URL of each connection, whose origin may receive its key. Not the sandbox's, because Jobdeck itself sets
   * its address.
   */
  const homes = new Map<string, string>();
  /** Null until the connections were first read. */
  let ids: ReadonlySet<string> | null = null;

  return {
    learn(all) {
      const former = ids;
      const present = new Set(all.map(({ id }) => id));
      ids = present;
      for (const connection of all) {
        names.set(connection.id, connection.name);
        if (!connection.isSandbox) homes.set(connection.id, connection.baseUrl);
        for (const endpoint of connection.endpoints) {
          const key = endpointKey({ connectionId: connection.id, endpointId: endpoint.id });
          labels.set(key, endpoint.label);
          titleRules.set(key, endpoint.titleRule ?? '');
        }
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
      return home === undefined || home === baseUrl || isSameHost(home, baseUrl) ? null : 'other-host';
    },
    endpointName(endpoint) {
      const label = labels.get(endpointKey(endpoint)) ?? '';
      return label === '' ? endpoint.endpointId : label;
    },
    titleRule: (connectionId, endpointId) => titleRules.get(endpointKey({ connectionId, endpointId })) ?? '',
    connectionName: (connectionId) => names.get(connectionId) ?? '',
  };
}
