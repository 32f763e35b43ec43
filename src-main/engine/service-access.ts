import type { Connection } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Connections } from '../connection/connections.ts';
import type { KnownSecrets } from '../secret/known-secrets.ts';
import { createManagementAllowance, withAllowance } from '../service/management-allowance.ts';
import { createManagementApi } from '../service/management-api.ts';
import { createQueueApi } from '../service/queue-api.ts';
import type { HttpOptions } from '../service/http.ts';
import type { ReplyReader } from '../service/reply-reader.ts';
import type { ManagementApi, QueueApi } from '../service/reply.ts';
import { isSameHost } from './known-connections.ts';
import { patientApi } from './patient-api.ts';
import { whyClosed } from './refresh-health.ts';
import { stoppedSandboxApi } from './sandbox-stopped-api.ts';

/** The one door to the service: who may send what, with whose key, and where to. */
export interface ServiceAccess {
  /** Where a new job of a connection goes. */
  baseUrlOf(connectionId: string): Promise<Result<string>>;
  /** The queue interface for a job that was sent to `baseUrl`, which it stays with for life. */
  queueApi(job: { connectionId: string; baseUrl: string }): Promise<Result<QueueApi>>;
  /** The management interface. All who use a connection's share its allowance (ruling 20). */
  managementApi(connectionId: string): Promise<Result<ManagementApi>>;
}

export interface ServiceAccessParts {
  connections: Pick<Connections, 'get' | 'target' | 'managementTarget' | 'noteTaken' | 'accountOf'>;
  now: () => number;
  knownSecrets: KnownSecrets['all'];
  replies: ReplyReader;
  /** Reads what a service was given with a job in a former run and may repeat in this one. */
  learnSecrets: () => Promise<void>;
  /** Null where the sandbox does not run. */
  sandboxBaseUrl: () => string | null;
}

/** Replies that must not be lost are waited for so long when the app closes. */
const graceMs = 1_500;

export function createServiceAccess({
  connections,
  now,
  knownSecrets,
  replies,
  learnSecrets,
  sandboxBaseUrl,
}: ServiceAccessParts): ServiceAccess {
  const allowance = createManagementAllowance({ random: Math.random, accountOf: connections.accountOf });

  /** A connection that may be sent on: one with a key. */
  async function openConnection(connectionId: string): Promise<Result<Connection>> {
    const connection = await connections.get(connectionId);
    if (!connection.ok) return connection;
    const closed = whyClosed(connection.value);
    return closed === null ? connection : failed(closed);
  }

  function httpOptions(connectionId: string): HttpOptions {
    return {
      now,
      knownSecrets,
      replies,
      onExchange({ httpStatus, atMs }) {
        if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) connections.noteTaken(connectionId, atMs);
      },
    };
  }

  /** Not by whether it runs: after a start at another port the connection names the former one for a moment. */
  function isStoppedSandbox({ isSandbox, baseUrl }: Connection): boolean {
    return isSandbox && !isSameHost(baseUrl, sandboxBaseUrl() ?? '');
  }

  return {
    async baseUrlOf(connectionId) {
      const connection = await openConnection(connectionId);
      return connection.ok ? ok(connection.value.baseUrl) : connection;
    },
    async queueApi({ connectionId, baseUrl }) {
      const connection = await openConnection(connectionId);
      if (!connection.ok) return connection;
      if (isStoppedSandbox(connection.value)) return ok(stoppedSandboxApi(now));
      // A sandbox that had to take another port is still the one its jobs are asked for at: whoever has the old port
      // now must not get its key.
      if (!connection.value.isSandbox && !isSameHost(connection.value.baseUrl, baseUrl)) {
        return failed({
          kind: 'refused',
          message:
            `This job was sent to ${baseUrl}. Its connection now points to ${connection.value.baseUrl}, and the ` +
            'key is not sent anywhere else.',
        });
      }
      const target = await connections.target(connectionId, connection.value.isSandbox ? undefined : baseUrl);
      if (!target.ok) return target;
      await learnSecrets();
      return ok(patientApi(createQueueApi(target.value, httpOptions(connectionId)), graceMs));
    },
    async managementApi(connectionId) {
      const connection = await openConnection(connectionId);
      if (!connection.ok) return connection;
      if (isStoppedSandbox(connection.value))
        return failed({
          kind: 'refused',
          message: 'The sandbox is not running, so nothing was asked. Start it to read pods and templates.',
        });
      const target = await connections.managementTarget(connectionId);
      if (!target.ok) return target;
      return ok(
        withAllowance(createManagementApi(target.value, httpOptions(connectionId)), connectionId, allowance, now),
      );
    },
  };
}
