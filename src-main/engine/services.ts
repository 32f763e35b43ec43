import { randomUUID } from 'node:crypto';
import type { Foundation } from './foundation.ts';
import type { SandboxControl } from './sandbox-control.ts';
import type { WebhookControl } from '../webhook/webhook-control.ts';
import type { KnownConnections } from './known-connections.ts';
import type { ServiceClient } from '../service/client.ts';
import { join } from 'node:path';
import type { Connection } from '../../src-preload/connection.ts';
import { failed } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { Connections } from '../connection/connections.ts';
import { S3Profiles } from '../connection/s3-profiles.ts';
import { createQueueApi } from '../service/queue-api.ts';
import { createKnownConnections } from './known-connections.ts';
import { createSandboxControl } from './sandbox-control.ts';
import { createServiceClient } from '../service/client.ts';
import { createWebhookControl } from '../webhook/webhook-control.ts';

/** The way to the services, and who they are: connections with their keys, the sandbox, and calls that come back. */
export interface Services {
  sandbox: SandboxControl;
  /** Starts the built-in sandbox and its connection. */
  openSandbox: () => Promise<Result<Connection>>;
  webhooks: WebhookControl;
  known: KnownConnections;
  connections: Connections;
  s3Profiles: S3Profiles;
  client: ServiceClient;
}

export async function joinServices(foundation: Foundation): Promise<Services> {
  const { parts, events, history, notices, closing, settings, knownSecrets, secrets, replies } = foundation;
  const { log, dataDir, news } = parts;
  const { now } = parts.clock;

  const sandbox = createSandboxControl({
    hostUrl: parts.threads.sandboxHost,
    handlerUrl: parts.threads.sandboxHandler,
    preferredPort: async () => portIn(await history.readDocument('sandbox', 'port')),
    keepPort: (port) => history.putDocument('sandbox', 'port', String(port)),
    stateFile: join(dataDir, 'sandbox.db'),
    emit: news.emit,
    notices,
  });
  closing.later('sandbox', sandbox.close);

  const webhooks = createWebhookControl({
    documents: history,
    now,
    log: log.area('webhooks'),
    onHint: (call) => events.emit('webhook-call', call),
    onChange: (changed) => news.emit('webhook:changed', changed),
  });
  closing.later('webhooks', webhooks.close);
  events.on('settings-changed', ({ isWebhookReceiverOn }) => void webhooks.apply(isWebhookReceiverOn));
  events.on('unknown-jobs', (unknownJobs) => webhooks.noteUnknownJobs(unknownJobs));
  await webhooks.apply(settings.current().isWebhookReceiverOn);

  const known = createKnownConnections();
  const connections = new Connections({
    documents: history,
    secrets,
    now,
    newId: randomUUID,
    onChange(changed) {
      const { added, removed } = known.learn(changed);
      news.emit('connection:changed', { connections: changed });
      events.emit('connections-changed', { connections: changed, added, removed });
    },
    onReopened: (connectionId) => events.emit('connection-reopened', connectionId),
    probeHealth: (target, endpointId) =>
      createQueueApi(target, { now, knownSecrets: knownSecrets.all, replies }).health(endpointId),
    log: log.area('connections'),
  });
  closing.later('connections', () => connections.close());

  const s3Profiles = new S3Profiles({ documents: history, secrets, now, newId: randomUUID, log: log.area('s3') });
  const client = createServiceClient({
    connections,
    now,
    replies,
    sandboxBaseUrl: () => sandbox.state().baseUrl,
    knownSecrets: knownSecrets.all,
    learnSecrets: () => s3Profiles.learnSecrets(),
  });

  return {
    sandbox,
    webhooks,
    known,
    connections,
    s3Profiles,
    client,
    async openSandbox() {
      if (!parts.isSandboxAllowed)
        return failed({
          kind: 'refused',
          message: 'The built-in sandbox is turned off for this start (JOBDECK_SANDBOX=off).',
        });
      const started = await sandbox.start();
      return started.ok ? connections.ensureSandboxConnection(started.value.address) : started;
    },
  };
}

/** The port in a kept document; null where it holds none. */
function portIn(json: string | null): number | null {
  const port = Number(json);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}
