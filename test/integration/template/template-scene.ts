import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import { KeyedVault } from '../../../src-main/secret/vault.ts';
import { withPodsNoted } from '../../../src-main/service/client.ts';
import type { Clock } from '../../../src-main/time/clock.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { createLog } from '../../../src-main/log.ts';
import { createManagementApi } from '../../../src-main/service/management-api.ts';
import type { ManagementApi } from '../../../src-main/service/reply.ts';
import { Templates } from '../../../src-main/template/templates.ts';
import type { TemplatesParts } from '../../../src-main/template/templates.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { podIncludes } from '../../../src-preload/pod.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { openedSecretStore, scriptedKeytar } from '../../kit/connection-parts.ts';
import { openTestHistory } from '../../kit/threads.ts';

/** The templates of one connection over a real database, a real vault and real HTTP. */
export interface TemplateScene {
  templates: Templates;
  api: ManagementApi;
  history: History;
  /** Reads a pod with every part, as the pod window does. */
  readPod(podId: string): Promise<void>;
  logLines: string[];
  /** Stops, and starts again with the same folder. */
  restart(): Promise<TemplateScene>;
  close(): Promise<void>;
}

export interface SceneOptions {
  /** False: keys are only valid for the session, so the vault cannot be opened after a restart. */
  hasKeychain?: boolean;
  dataDir?: string;
  keytar?: ReturnType<typeof scriptedKeytar>;
  /** Milliseconds. Default: each call returns a minute more. */
  now?: () => number;
  /** The clock of the limits of requests. Default: real time. */
  deadlineTime?: Clock;
  /** The address of the connection. Default: the service's. */
  serviceOf?: () => string;
  wrapDocuments?: (documents: History) => TemplatesParts['documents'];
}

const folders = new Set<string>();
const open = new Set<TemplateScene>();

export async function closeTemplateScenes(): Promise<void> {
  for (const scene of open) await scene.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}

export const connectionId = 'production';

export async function openTemplates(service: { restUrl: string }, options: SceneOptions = {}): Promise<TemplateScene> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'jobdeck-templates-')));
  folders.add(dataDir);
  const keytar = options.keytar ?? scriptedKeytar();
  let atMs = 1_700_000_000_000;
  const now = options.now ?? (() => (atMs += 60_000));
  const logLines: string[] = [];
  const log = createLog({ write: (line) => void logLines.push(line), now, lowestLevel: 'debug' });
  const { history } = await openTestHistory({ path: join(dataDir, 'history.db'), now });
  const loadKeytar =
    options.hasKeychain === false ? () => Promise.reject(new Error('no keychain')) : () => Promise.resolve(keytar);
  const secrets = await openedSecretStore({
    loadKeytar,
    safeStorage: null,
    files: createSecretFiles(join(dataDir, 'secrets')),
    known: createKnownSecrets(log),
    log,
  });
  const deadline = options.deadlineTime === undefined ? {} : { deadlineTime: options.deadlineTime };
  const plain = createManagementApi(
    {
      baseUrl: service.restUrl,
      restUrl: service.restUrl,
      authorization: 'bearer',
      readKey: () => Promise.resolve(TEST_API_KEY),
    },
    { now, ...deadline },
  );
  const api = withPodsNoted(plain, (reply) => templates.notePod(connectionId, reply));
  const templates: Templates = new Templates({
    documents: options.wrapDocuments?.(history) ?? history,
    vault: new KeyedVault(secrets, 'vault:scene', null),
    apiFor: async () => ok(api),
    serviceOf: async () => ok(options.serviceOf?.() ?? service.restUrl),
    now,
    onChange: () => {},
    log,
  });
  const scene: TemplateScene = {
    templates,
    api,
    history,
    logLines,
    async readPod(podId) {
      value((await api.getPod(podId, podIncludes)).result);
    },
    async restart() {
      await scene.close();
      return openTemplates(service, { ...options, dataDir, keytar });
    },
    async close() {
      if (!open.delete(scene)) return;
      secrets.close();
      await history.close();
    },
  };
  open.add(scene);
  return scene;
}

/** The value of a success. Throws the failure's message. */
export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
