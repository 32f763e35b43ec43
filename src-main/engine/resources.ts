import type { Events } from '../../src-preload/events.ts';
import { ok } from '../../src-preload/failure.ts';
import { podIncludes } from '../../src-preload/pod.ts';
import type { Connections } from '../connection/connections.ts';
import type { Vault } from '../secret/vault.ts';
import type { History } from '../history/history.ts';
import type { KnownSecrets } from '../redaction/redactor.ts';
import type { Log } from '../log.ts';
import { Pods, podHandlers } from '../pod/pods.ts';
import { Templates } from '../template/templates.ts';
import { secretsForResults } from '../service/mask-env.ts';
import { templateHandlers } from '../template/handlers.ts';
import type { ServiceClient } from '../service/client.ts';
import { sandboxText } from '../messages/sandbox.ts';

export interface Resources {
  handlers: ReturnType<typeof podHandlers> & ReturnType<typeof templateHandlers>;
  pods: Pods;
  connectionRemoved(connectionId: string): void;
}

export interface ResourcesParts {
  history: History;
  vault: Vault;
  connections: Pick<Connections, 'get'>;
  client: Pick<ServiceClient, 'managementApi' | 'onPodRead' | 'hasConnection'>;
  knownSecrets: Pick<KnownSecrets, 'add'>;
  emit: <N extends 'pod:changed' | 'template:changed'>(name: N, payload: Events[N]) => void;
  now: () => number;
  log: Log;
}

/**
 * Creates pods and templates, which use the management interface. A template in a pod's reply is saved as seen (ruling
 * 23).
 */
export function createResources(parts: ResourcesParts): Resources {
  const { history, vault, connections, client, knownSecrets, emit, now, log } = parts;
  const templates = new Templates({
    documents: history,
    vault: learningVault(vault, knownSecrets, true),
    now,
    apiFor: client.managementApi,
    log: log.area('templates'),
    serviceOf: async (connectionId) => {
      const connection = await connections.get(connectionId);
      // The sandbox has another port after another start.
      return connection.ok
        ? ok(connection.value.isSandbox ? sandboxText.service : connection.value.restUrl)
        : connection;
    },
    onChange: ({ connectionId, templateId }) => emit('template:changed', { connectionId, templateId }),
  });
  client.onPodRead(async (connectionId, reply) => {
    // If nothing can be sealed beyond this session, they are in memory anyway.
    secretsForResults(reply.raw, false).forEach((secret) => knownSecrets.add(secret, '[secret]'));
    await templates.notePod(connectionId, reply);
  });
  const pods = new Pods({
    documents: history,
    vault: learningVault(vault, knownSecrets, false),
    now,
    managementApi: client.managementApi,
    log: log.area('pods'),
    restUrlOf: async (connectionId) => {
      const connection = await connections.get(connectionId);
      return connection.ok ? ok(connection.value.restUrl) : connection;
    },
    onChange: (connectionId, remembered) => emit('pod:changed', { connectionId, pods: remembered }),
  });

  return {
    handlers: {
      ...podHandlers(pods),
      ...templateHandlers({
        templates,
        readPod: (connectionId, podId) => pods.read(connectionId, podId, podIncludes),
        now,
        hasConnection: client.hasConnection,
      }),
    },
    pods,
    connectionRemoved(connectionId) {
      void pods.connectionRemoved(connectionId);
      void templates.forgetConnection(connectionId);
    },
  };
}

/**
 * A vault that also notes the secrets in what it seals and opens. They are then in memory, and no reply about a job may
 * carry them into the history. `isEnv`: its texts are the variables themselves, not replies that contain some.
 */
function learningVault(vault: Vault, known: Pick<KnownSecrets, 'add'>, isEnv: boolean): Vault {
  const learn = (json: string): void =>
    secretsForResults(json, isEnv).forEach((secret) => known.add(secret, '[secret]'));
  return {
    seal(text, belonging) {
      learn(text);
      return vault.seal(text, belonging);
    },
    async open(sealed, belonging) {
      const opened = await vault.open(sealed, belonging);
      if (opened.ok && opened.value !== null) learn(opened.value);
      return opened;
    },
    isLasting: () => vault.isLasting(),
  };
}
