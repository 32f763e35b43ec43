import { z } from 'zod';
import { byName, openCollection } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';
import type { ConnectionRecord } from './connection-record.ts';

const removedConnection = z.object({
  id: z.string().min(1),
  baseUrl: z.string(),
  endpointIds: z.array(z.string()),
  removedAtMs: z.number(),
  /** Not written by former versions, which did not keep the sandbox's. */
  isSandbox: z.boolean().default(false),
});
const removedKind: DocumentKind<z.infer<typeof removedConnection>, string> = {
  kind: 'removed-connection',
  schema: removedConnection,
  id: byName,
};

/** What is left of connections that were removed: enough to know one again. Neither key nor name. */
export interface RemovedConnections {
  /** It is about to be removed, at `atMs` (epoch milliseconds). */
  remember(record: ConnectionRecord, atMs: number): Promise<void>;
  /**
   * The ids under which jobs of such a connection may be kept, the last removed first: those with the same base URL,
   * and an endpoint in common, because all accounts of a service share its base URL and no two share an endpoint. The
   * built-in sandbox is the same at any address.
   */
  idsOf(connection: Pick<ConnectionRecord, 'baseUrl' | 'endpoints' | 'isSandbox'>): Promise<string[]>;
}

/** Over the document store; rejects when that does. */
export function createRemovedConnections(documents: Documents): RemovedConnections {
  const collection = openCollection(documents, removedKind);
  return {
    async remember({ id, baseUrl, endpoints, isSandbox }, atMs) {
      await collection.put(id, {
        id,
        baseUrl,
        endpointIds: endpoints.map((endpoint) => endpoint.id),
        removedAtMs: atMs,
        isSandbox,
      });
    },
    async idsOf({ baseUrl, endpoints, isSandbox }) {
      const removed = (await collection.all()).flatMap(({ value }) => value ?? []);
      return removed
        .filter((each) => each.isSandbox === isSandbox)
        .filter(
          (each) =>
            isSandbox || (each.baseUrl === baseUrl && endpoints.some(({ id }) => each.endpointIds.includes(id))),
        )
        .toSorted((a, b) => b.removedAtMs - a.removedAtMs)
        .map(({ id }) => id);
    },
  };
}
