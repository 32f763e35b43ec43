import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { KnownPod, PodChanges, RememberedPod } from '../../src-preload/pod-reading.ts';
import { browsableAddress } from '../../src-preload/pod-ports.ts';
import type { PodInclude, PodReply } from '../../src-preload/pod.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { ManagementApi, Reply } from '../service/reply.ts';
import { envValues, maskEnv, valuesToRedact } from '../service/mask-env.ts';
import { readPod } from '../service/resource-shapes.ts';
import { curlForPod } from '../service/curl.ts';
import { podChanges } from './pod-diff.ts';
import {
  readingOf,
  rememberedPod,
  createPodRecords,
  podBelonging,
  podKey,
  type PodRecord,
  type PodRecords,
} from './pod-records.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Vault } from '../secret/vault.ts';
import { KeyedQueue } from '../async/queues.ts';
import { podText } from '../messages/resources.ts';
import { addressText } from '../messages/service/requests.ts';

export interface PodsParts {
  documents: Documents;
  /** Seals replies, because they contain env values. */
  vault: Vault;
  /** Epoch milliseconds. */
  now: () => number;
  /** The connection's management interface within its allowance. A failure if nothing may be sent. */
  managementApi: (connectionId: string) => Promise<Result<ManagementApi>>;
  /** Empty if the connection has none. */
  restUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** Called with all pods of the connection when a change is on disk. */
  onChange: (connectionId: string, pods: RememberedPod[]) => void;
  log: Log;
}

const notReadYet: Failure = { kind: 'absent', message: podText.notReadYet };

/** Pods that are read by id. The last reading of each is kept. Env values are in memory and in the vault only. */
export class Pods {
  readonly #parts: PodsParts;
  readonly #records: PodRecords;
  /**
   * Replies of this session whose sealed form does not outlast it. Values can be revealed from them until the app ends.
   */
  readonly #held = new Map<string, { readAtMs: number; json: string }>();
  /** Changes of a record in turn, so that none is written over by one that was read before it. */
  readonly #changes = new KeyedQueue();
  /** How many times a pod was forgotten in this session. A reading that was asked for before is not saved. */
  readonly #timesForgotten = new Map<string, number>();

  constructor(parts: PodsParts) {
    this.#parts = parts;
    this.#records = createPodRecords(parts);
  }

  /** Last opened first. Null for all connections. */
  async list(connectionId: string | null): Promise<Result<RememberedPod[]>> {
    const all = await this.#records.all();
    return all.ok
      ? ok(
          all.value
            .filter((record) => connectionId === null || record.connectionId === connectionId)
            .map(rememberedPod),
        )
      : all;
  }

  /** What is known here. Sends no request. */
  open(connectionId: string, podId: string): Promise<Result<KnownPod>> {
    return this.#changes.run(podKey({ connectionId, podId }), async () => {
      const found = await this.#records.find(connectionId, podId);
      if (!found.ok) return found;
      if (found.value === null) return ok(this.#shown(connectionId, podId, null));
      const record = { ...found.value, openedAtMs: this.#parts.now() };
      const saved = await this.#records.put(record);
      if (saved.ok) await this.#showAll(connectionId);
      return ok(this.#shown(connectionId, podId, record));
    });
  }

  /** Reads the pod once. After a failure the last reading stays. */
  async read(connectionId: string, podId: string, include: readonly PodInclude[]): Promise<Result<KnownPod>> {
    const key = podKey({ connectionId, podId });
    const timesForgotten = this.#timesForgotten.get(key);
    const api = await this.#parts.managementApi(connectionId);
    if (!api.ok) return api;
    const { result, exchange } = await api.value.getPod(podId, include, {
      secrets: await this.#knownValues(connectionId, podId),
    });
    if (!result.ok) return failed(result.failure);
    const { value } = result;
    return this.#changes.run(key, async () =>
      this.#timesForgotten.get(key) === timesForgotten
        ? await this.#take(connectionId, podId, include, value, exchange)
        : failed({ kind: 'absent', message: podText.forgottenMeanwhile }),
    );
  }

  /** Pins a pod to the top of the list, or unpins it. Fails with `absent` for one that was never read. */
  pin(connectionId: string, podId: string, isPinned: boolean): Promise<Result<null>> {
    return this.#changes.run(podKey({ connectionId, podId }), async () => {
      const found = await this.#lastRead(connectionId, podId);
      if (!found.ok) return found;
      const saved = await this.#records.put({ ...found.value, isPinned });
      if (saved.ok) await this.#showAll(connectionId);
      return saved;
    });
  }

  /** Deletes what is saved about a pod, also of a reading that is in progress. The pod itself is not touched. */
  forget(connectionId: string, podId: string): Promise<Result<null>> {
    const key = podKey({ connectionId, podId });
    this.#timesForgotten.set(key, (this.#timesForgotten.get(key) ?? 0) + 1);
    return this.#changes.run(key, async () => {
      this.#held.delete(key);
      const removed = await this.#records.remove({ connectionId, podId });
      if (removed.ok) await this.#showAll(connectionId);
      return removed;
    });
  }

  /** One env value of the last reading. */
  async envValue(connectionId: string, podId: string, name: string): Promise<Result<string>> {
    const found = await this.#lastRead(connectionId, podId);
    if (!found.ok) return found;
    const raw = await this.#rawOf(found.value);
    if (!raw.ok) return raw;
    if (raw.value === null) return failed({ kind: 'absent', message: podText.valuesLost });
    const reply = readPod(raw.value, podId);
    const env = reply.ok ? (reply.value.pod.env ?? {}) : {};
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined ? failed({ kind: 'absent', message: podText.noVariable(name) }) : ok(value);
  }

  /** `http://ip:port` of a port of the last reading. */
  async browsableAddress(connectionId: string, podId: string, port: number): Promise<Result<string>> {
    const found = await this.#lastRead(connectionId, podId);
    if (!found.ok) return found;
    const reading = readingOf(found.value);
    const address = reading === null ? null : browsableAddress(reading.reply.pod, port);
    return address === null
      ? failed({ kind: 'refused', field: 'port', message: podText.noAddress(port) })
      : ok(address);
  }

  /** The request that reads this pod, as a curl command. */
  async curl(
    connectionId: string,
    podId: string,
    include: readonly PodInclude[],
  ): Promise<Result<{ command: string }>> {
    const restUrl = await this.#parts.restUrlOf(connectionId);
    if (!restUrl.ok) return restUrl;
    if (restUrl.value === '') return failed({ kind: 'refused', field: 'connectionId', message: addressText.noRestUrl });
    const command = curlForPod(restUrl.value, podId, include);
    return command.ok
      ? ok({ command: command.value })
      : failed({ kind: 'refused', field: 'podId', message: command.failure });
  }

  /** The connection was removed: its pods can no longer be read. */
  async connectionRemoved(connectionId: string): Promise<void> {
    const all = await this.#records.all();
    if (!all.ok) return;
    const gone = all.value.filter((record) => record.connectionId === connectionId);
    for (const record of gone) {
      this.#held.delete(podKey(record));
      await this.#records.remove(record);
    }
    if (gone.length > 0) this.#parts.onChange(connectionId, []);
  }

  async #showAll(connectionId: string): Promise<void> {
    const all = await this.list(connectionId);
    if (all.ok) this.#parts.onChange(connectionId, all.value);
  }

  #shown(connectionId: string, podId: string, record: PodRecord | null): KnownPod {
    const reading = record === null ? null : readingOf(record);
    return {
      connectionId,
      podId,
      isPinned: record?.isPinned ?? false,
      reading,
      changes: record?.changes ?? null,
      hasValues: record !== null && (this.#held.has(podKey(record)) || record.sealedJson !== null),
    };
  }

  /** The last reading's reply as it came. Null if its values were lost with an earlier session. */
  async #rawOf(record: PodRecord): Promise<Result<string | null>> {
    const here = this.#held.get(podKey(record));
    if (here?.readAtMs === record.reading.readAtMs) return ok(here.json);
    if (record.sealedJson !== null)
      return await this.#parts.vault.open(record.sealedJson, podBelonging.pod(podKey(record)));
    // A reply without values to hide was saved whole.
    return ok(envValues(record.reading.maskedJson).length === 0 ? record.reading.maskedJson : null);
  }

  async #changesSince(former: PodRecord, raw: string, masked: string): Promise<PodChanges> {
    const before = await this.#rawOf(former);
    const isWhole = before.ok && before.value !== null;
    return {
      sinceMs: former.reading.readAtMs,
      changes: podChanges(
        isWhole && before.value !== null ? before.value : former.reading.maskedJson,
        isWhole ? raw : masked,
      ),
    };
  }

  async #seal(raw: string, at: Pick<PodRecord, 'connectionId' | 'podId'>): Promise<string | null> {
    // If sealed values could not be opened after a restart, they are held in memory only, so that windows do not offer
    // them then.
    if (!this.#parts.vault.isLasting()) return null;
    const sealed = await this.#parts.vault.seal(raw, podBelonging.pod(podKey(at)));
    if (sealed.ok) return sealed.value;
    this.#parts.log.warn('a pod is kept without its env values, because they could not be sealed', {
      detail: sealed.failure.message,
    });
    return null;
  }

  async #take(
    connectionId: string,
    podId: string,
    include: readonly PodInclude[],
    reply: PodReply,
    exchange: Reply<PodReply>['exchange'],
  ): Promise<Result<KnownPod>> {
    const { raw } = reply;
    const values = envValues(raw);
    for (const value of values) this.#parts.log.hide(value);
    const maskedJson = maskEnv(raw);
    const found = await this.#records.find(connectionId, podId);
    const former = found.ok ? found.value : null;
    const readAtMs = this.#parts.now();
    const changes = former === null ? null : await this.#changesSince(former, raw, maskedJson);
    const sealedJson = values.length === 0 ? null : await this.#seal(raw, { connectionId, podId });
    const record: PodRecord = {
      connectionId,
      podId,
      isPinned: former?.isPinned ?? false,
      openedAtMs: former?.openedAtMs ?? readAtMs,
      reading: {
        readAtMs,
        tookMs: exchange.tookMs,
        httpStatus: exchange.httpStatus ?? 200,
        bytesReceived: exchange.bytesReceived,
        include: [...include],
        path: exchange.path,
        maskedJson,
      },
      changes,
      sealedJson,
    };
    if (values.length > 0 && sealedJson === null) this.#held.set(podKey(record), { readAtMs, json: raw });
    else this.#held.delete(podKey(record));
    // A failed write is logged by the records. The reading is shown anyway.
    const kept = await this.#records.put(record);
    if (kept.ok) await this.#showAll(connectionId);
    return ok(this.#shown(connectionId, podId, record));
  }

  /** Values of the last reading, to be hidden in errors that repeat them. */
  async #knownValues(connectionId: string, podId: string): Promise<string[]> {
    const found = await this.#records.find(connectionId, podId);
    const raw = found.ok && found.value !== null ? await this.#rawOf(found.value) : null;
    return raw?.ok === true && raw.value !== null ? valuesToRedact(envValues(raw.value)) : [];
  }

  async #lastRead(connectionId: string, podId: string): Promise<Result<PodRecord>> {
    const found = await this.#records.find(connectionId, podId);
    if (!found.ok) return found;
    return found.value === null ? failed(notReadYet) : ok(found.value);
  }
}

type PodCall = Exclude<Extract<keyof Handlers, `pod:${string}`>, 'pod:copyEnv' | 'pod:openPort'>;

/** Handlers of the calls about pods, except those that need the clipboard or the browser. */
export function podHandlers(pods: Pods): Pick<Handlers, PodCall> {
  return {
    'pod:list': ({ connectionId }) => pods.list(connectionId),
    'pod:open': ({ connectionId, podId }) => pods.open(connectionId, podId),
    'pod:read': ({ connectionId, podId, include }) => pods.read(connectionId, podId, include),
    'pod:pin': ({ connectionId, podId, isPinned }) => pods.pin(connectionId, podId, isPinned),
    'pod:forget': ({ connectionId, podId }) => pods.forget(connectionId, podId),
    'pod:reveal': async ({ connectionId, podId, name }) => {
      const value = await pods.envValue(connectionId, podId, name);
      return value.ok ? ok({ value: value.value }) : value;
    },
    'pod:curl': ({ connectionId, podId, include }) => pods.curl(connectionId, podId, include),
  };
}
