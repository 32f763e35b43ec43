import { z } from 'zod';
import { endpoint } from '../../src-preload/connection-schema.ts';
import type { Connection, Endpoint } from '../../src-preload/connection.ts';
import { byName, type DocumentKind, openCollection, type Documents } from '../history/collection.ts';

const removedConnection = z.object({
  id: z.string().min(1),
  baseUrl: z.string(),
  endpointIds: z.array(z.string()),
  /** What the user entered about endpoints and links. Missing in records of former versions. */
  endpoints: z.array(endpoint).default([]),
  consoleUrl: z.string().optional(),
  logUrl: z.string().optional(),
  removedAtMs: z.number(),
  /** Missing in records of former versions, which did not record the sandbox's. */
  isSandbox: z.boolean().default(false),
});
export type RemovedConnection = z.infer<typeof removedConnection>;

const removedKind: DocumentKind<RemovedConnection, string> = {
  kind: 'removed-connection',
  schema: removedConnection,
  id: byName,
};

type Recognised = Pick<Connection, 'id' | 'baseUrl' | 'endpoints' | 'isSandbox'>;
type Entered = Pick<Connection, 'endpoints' | 'consoleUrl' | 'logUrl'>;

/**
 * What is kept of removed connections: enough to recognise one, and what the user entered about its endpoints and
 * links. Neither key nor name.
 */
export interface RemovedConnections {
  /** The connection will be removed, at `atMs` (epoch milliseconds). */
  remember(record: Recognised & Entered, atMs: number): Promise<void>;
  /**
   * The removed connections whose jobs belong to such a connection, the last removed first: those with the same base
   * URL and a common endpoint. All accounts of a service share its base URL, but no two share an endpoint. The built-in
   * sandbox is the same at any address.
   */
  like(connection: Omit<Recognised, 'id'>): Promise<RemovedConnection[]>;
  /** The connection that was removed and has this id, even if it was added again since. */
  find(id: string): Promise<RemovedConnection | null>;
}

/** Over the document store. Rejects if that does. */
export function createRemovedConnections(documents: Documents): RemovedConnections {
  const collection = openCollection(documents, removedKind);
  const all = async (): Promise<RemovedConnection[]> => (await collection.all()).flatMap(({ value }) => value ?? []);

  return {
    async remember({ id, baseUrl, endpoints, isSandbox, consoleUrl, logUrl }, atMs) {
      await collection.put(id, {
        id,
        baseUrl,
        endpointIds: endpoints.map((each) => each.id),
        endpoints,
        ...(consoleUrl !== undefined && { consoleUrl }),
        ...(logUrl !== undefined && { logUrl }),
        removedAtMs: atMs,
        isSandbox,
      });
    },
    async like({ baseUrl, endpoints, isSandbox }) {
      return (await all())
        .filter((each) => each.isSandbox === isSandbox)
        .filter(
          (each) =>
            isSandbox || (each.baseUrl === baseUrl && endpoints.some(({ id }) => each.endpointIds.includes(id))),
        )
        .toSorted((a, b) => b.removedAtMs - a.removedAtMs);
    },
    find: async (id) => (await all()).find((each) => each.id === id) ?? null,
  };
}

/**
 * What was entered, completed by what had been entered before the connection was removed: for endpoints that are new to
 * it, label, kind and titles where none is entered; for a connection that is added again (`known` is null), its links
 * too. `known`: ids of the endpoints that it has already. Pure.
 */
export function withFormer<T extends Entered>(entered: T, removed: Entered, known: readonly string[] | null): T {
  const endpoints = entered.endpoints.map((each) => {
    const before = removed.endpoints.find(({ id }) => id === each.id);
    return before === undefined || known?.includes(each.id) === true ? each : completed(each, before);
  });
  if (known !== null) return { ...entered, endpoints };
  // An empty link is one that was not entered.
  const consoleUrl = entered.consoleUrl || removed.consoleUrl;
  const logUrl = entered.logUrl || removed.logUrl;
  return {
    ...entered,
    endpoints,
    ...(consoleUrl !== undefined && { consoleUrl }),
    ...(logUrl !== undefined && { logUrl }),
  };
}

function completed(entered: Endpoint, before: Endpoint): Endpoint {
  const titleRule = entered.titleRule || before.titleRule;
  return {
    ...entered,
    label: entered.label || before.label,
    flavour: entered.flavour === 'unknown' ? before.flavour : entered.flavour,
    ...(titleRule !== undefined && { titleRule }),
  };
}
