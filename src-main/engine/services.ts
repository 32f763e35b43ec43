import { randomUUID } from 'node:crypto';
import type { Foundation } from './foundation.ts';
import { SandboxControl } from './sandbox-control.ts';
import { PrintedOutput } from './printed-output.ts';
import { openSandboxHandlers } from './sandbox-handlers.ts';
import { findSecrets, withoutFound } from '../redaction/find-secrets.ts';
import { BUILT_IN_ENDPOINTS } from '../sandbox/endpoint.ts';
import { type WebhookControl, createWebhookControl } from '../webhook/receiver.ts';
import { type ServiceClient, createServiceClient } from '../service/client.ts';
import { join } from 'node:path';
import type { Connection } from '../../src-preload/connection.ts';
import { failed, type Result } from '../../src-preload/failure.ts';
import { Connections } from '../connection/connections.ts';
import { createKnownConnections, type KnownConnections } from '../connection/known-connections.ts';
import { S3Profiles } from '../connection/s3-profiles.ts';
import { createQueueApi } from '../service/queue-api.ts';
import { createProxyPasswords, type ProxyPasswords } from '../secret/proxy-password.ts';
import { createNetwork, type Network } from '../service/proxy-and-certificates.ts';
import { sandboxText } from '../messages/sandbox.ts';

/** What features need to reach the services: connections with their keys, the sandbox, and webhook calls. */
export interface Services {
  sandbox: SandboxControl;
  /** What handlers of the sandbox print. */
  printed: PrintedOutput;
  /** Starts the built-in sandbox and creates its connection. */
  openSandbox: () => Promise<Result<Connection>>;
  webhooks: WebhookControl;
  known: KnownConnections;
  connections: Connections;
  s3Profiles: S3Profiles;
  client: ServiceClient;
  network: Network;
  proxyPasswords: ProxyPasswords;
}

/** Creates the layers between features and the service, from the bottom up. */
export async function joinServices(foundation: Foundation): Promise<Services> {
  const { parts, events, history, closing, settings, knownSecrets, secrets, replies } = foundation;
  const { log, news } = parts;
  const { now } = parts.clock;

  const printed = joinPrinted(foundation);
  const sandbox = await joinSandbox(foundation, printed, () => openSandbox());
  const webhooks = await joinWebhooks(foundation);

  const proxyPasswords = createProxyPasswords(secrets);
  const network = createNetwork({
    resolveProxy: parts.resolveProxy ?? (() => Promise.resolve('DIRECT')),
    choice: () => settings.current().proxy,
    password: (user) => proxyPasswords.read(user),
    now,
  });

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
      createQueueApi(target, { now, knownSecrets: knownSecrets.all, replies, network }).health(endpointId),
    log: log.area('connections'),
  });
  closing.later('connections', () => connections.close());

  const s3Profiles = new S3Profiles({ documents: history, secrets, now, newId: randomUUID, log: log.area('s3') });
  const client = createServiceClient({
    connections,
    now,
    replies,
    network,
    sandboxBaseUrl: () => sandbox.state().baseUrl,
    knownSecrets: knownSecrets.all,
    learnSecrets: () => s3Profiles.learnSecrets(),
    onAnswer: (date) => events.emit('service-answered', date),
  });

  async function openSandbox(): Promise<Result<Connection>> {
    if (!parts.isSandboxAllowed) return failed({ kind: 'refused', message: sandboxText.turnedOff });
    const started = await sandbox.start();
    return started.ok ? connections.ensureSandboxConnection(started.value.address) : started;
  }

  return {
    sandbox,
    printed,
    openSandbox,
    webhooks,
    known,
    connections,
    s3Profiles,
    client,
    network,
    proxyPasswords,
  };
}

/** What handlers of the sandbox print. */
function joinPrinted({ parts, events, history, closing, knownSecrets }: Foundation): PrintedOutput {
  const printed = new PrintedOutput({
    emit: parts.news.emit,
    history,
    hide: (text) => withoutFound(text, findSecrets(text, knownSecrets.all())),
    log: parts.log.area('printed'),
  });
  closing.later('printed', () => printed.close());
  events.on('jobs-changed', (jobs) => printed.jobsChanged(jobs));
  return printed;
}

/** The built-in sandbox, not started. `open` starts it and opens its connection. */
async function joinSandbox(
  { parts, history, notices, closing }: Foundation,
  printed: PrintedOutput,
  open: () => Promise<Result<Connection>>,
): Promise<SandboxControl> {
  const { dataDir, news, threads } = parts;
  const own = await openSandboxHandlers(
    join(dataDir, 'sandbox-handlers.json'),
    BUILT_IN_ENDPOINTS.map(({ id }) => id),
  );
  const sandbox = new SandboxControl({
    hostUrl: threads.sandbox,
    handlerUrl: threads.sandboxHandler,
    preferredPort: async () => portIn(await history.readDocument('sandbox', 'port')),
    savePort: (port) => history.putDocument('sandbox', 'port', String(port)),
    stateFile: join(dataDir, 'sandbox.db'),
    emit: news.emit,
    notices,
    own,
    printed,
    open,
  });
  closing.later('sandbox', () => sandbox.close());
  return sandbox;
}

/** The receiver of webhook calls, on or off as the settings say. */
async function joinWebhooks({
  parts,
  events,
  history,
  closing,
  settings,
  replies,
}: Foundation): Promise<WebhookControl> {
  const webhooks = createWebhookControl({
    documents: history,
    clock: parts.clock,
    log: parts.log.area('webhooks'),
    onHint: (call) => events.emit('webhook-call', call),
    onChange: (changed) => parts.news.emit('webhook:changed', changed),
    replies,
  });
  closing.later('webhooks', webhooks.close);
  events.on('settings-changed', ({ isWebhookReceiverOn }) => void webhooks.apply(isWebhookReceiverOn));
  events.on('unknown-jobs', (unknownJobs) => webhooks.noteUnknownJobs(unknownJobs));
  await webhooks.apply(settings.current().isWebhookReceiverOn);
  return webhooks;
}

/** The port in a saved document, or null. */
function portIn(json: string | null): number | null {
  const port = Number(json);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}
