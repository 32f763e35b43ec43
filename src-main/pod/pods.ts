import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { KnownPod, PodChanges, RememberedPod } from '../../src-preload/pod-look.ts';
import { browsableAddress } from '../../src-preload/pod-ports.ts';
import type { PodInclude, PodReply } from '../../src-preload/pod.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { ManagementApi, Reply } from '../service/reply.ts';
import { envValues, maskEnv, valuesToRedact } from '../service/mask-env.ts';
import { readPod } from '../service/resource-shapes.ts';
import { curlForPod } from './pod-curl.ts';
import { podChanges } from './pod-diff.ts';
import { lookOf, rememberedPod } from './pod-record.ts';
import type { PodRecord } from './pod-record.ts';
import { createPodRecords } from './pod-records.ts';

export interface PodsParts {
  documents: Documents;
  /** Seals replies, which hold env values, so that they can be kept. */
  vault: {
    seal(text: string): Promise<Result<string>>;
    open(sealed: string): Promise<Result<string | null>>;
    isLasting(): boolean;
  };
  /** Epoch milliseconds. */
  now: () => number;
  /** The connection's management interface within its allowance; a failure where nothing may be sent. */
  managementApi: (connectionId: string) => Promise<Result<ManagementApi>>;
  /** Empty where the connection has none. */
  restUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** All remembered pods of the connection as they now stand; told after the change is on disk. */
  onChange: (connectionId: string, pods: RememberedPod[]) => void;
  log: Log;
}

/** Pods read by id, with the last look at each kept. Env values are in memory and in the vault, nowhere else. */
export interface Pods {
  /** Last opened first; of all connections for null. */
  list(connectionId: string | null): Promise<Result<RememberedPod[]>>;
  /** What is known here, without asking the service. */
  open(connectionId: string, podId: string): Promise<Result<KnownPod>>;
  /** Reads the pod once. After a failure what was known stays. */
  read(connectionId: string, podId: string, include: readonly PodInclude[]): Promise<Result<KnownPod>>;
  pin(connectionId: string, podId: string, isPinned: boolean): Promise<Result<null>>;
  forget(connectionId: string, podId: string): Promise<Result<null>>;
  /** One env value of the last look. */
  envValue(connectionId: string, podId: string, name: string): Promise<Result<string>>;
  /** `http://ip:port` of a port of the last look. */
  browsableAddress(connectionId: string, podId: string, port: number): Promise<Result<string>>;
  curl(connectionId: string, podId: string, include: readonly PodInclude[]): Promise<Result<{ command: string }>>;
  /** Its pods cannot be asked for any more. */
  connectionRemoved(connectionId: string): Promise<void>;
}

const notReadYet: Failure = { kind: 'absent', message: 'This pod was not read yet. Read it first.' };

/** Pods over the document store, the vault and a connection's management interface. */
export function createPods(parts: PodsParts): Pods {
  const { vault, now, log } = parts;
  const records = createPodRecords(parts);
  /**
   * Replies of this session that could not be sealed for longer, by record: they can be revealed from until the app
   * ends.
   */
  const held = new Map<string, { readAtMs: number; json: string }>();
  const idOf = ({ connectionId, podId }: Pick<PodRecord, 'connectionId' | 'podId'>): string =>
    `${connectionId}/${podId}`;

  async function tell(connectionId: string): Promise<void> {
    const all = await list(connectionId);
    if (all.ok) parts.onChange(connectionId, all.value);
  }

  async function list(connectionId: string | null): Promise<Result<RememberedPod[]>> {
    const all = await records.all();
    return all.ok
      ? ok(
          all.value
            .filter((record) => connectionId === null || record.connectionId === connectionId)
            .map(rememberedPod),
        )
      : all;
  }

  function known(connectionId: string, podId: string, record: PodRecord | null): KnownPod {
    const look = record === null ? null : lookOf(record);
    return {
      connectionId,
      podId,
      isPinned: record?.isPinned ?? false,
      look,
      changes: record?.changes ?? null,
      hasValues: record !== null && (held.has(idOf(record)) || record.sealedJson !== null),
    };
  }

  /** The reply of the last look as it came; null where its values are gone with a former session. */
  async function rawOf(record: PodRecord): Promise<Result<string | null>> {
    const here = held.get(idOf(record));
    if (here?.readAtMs === record.look.readAtMs) return ok(here.json);
    if (record.sealedJson !== null) return await vault.open(record.sealedJson);
    // Without a value to hide it was kept whole.
    return ok(envValues(record.look.maskedJson).length === 0 ? record.look.maskedJson : null);
  }

  async function changesSince(former: PodRecord, raw: string, masked: string): Promise<PodChanges> {
    const before = await rawOf(former);
    const isWhole = before.ok && before.value !== null;
    return {
      sinceMs: former.look.readAtMs,
      changes: podChanges(
        isWhole && before.value !== null ? before.value : former.look.maskedJson,
        isWhole ? raw : masked,
      ),
    };
  }

  async function seal(raw: string): Promise<string | null> {
    // What nobody can open after a restart is held in memory only, so that no window offers it then.
    if (!vault.isLasting()) return null;
    const sealed = await vault.seal(raw);
    if (sealed.ok) return sealed.value;
    log.warn('a pod is kept without its env values, because they could not be sealed', {
      detail: sealed.failure.message,
    });
    return null;
  }

  async function take(
    connectionId: string,
    podId: string,
    include: readonly PodInclude[],
    reply: PodReply,
    exchange: Reply<PodReply>['exchange'],
  ): Promise<Result<KnownPod>> {
    const { raw } = reply;
    const values = envValues(raw);
    for (const value of values) log.hide(value);
    const maskedJson = maskEnv(raw);
    const found = await records.find(connectionId, podId);
    const former = found.ok ? found.value : null;
    const readAtMs = now();
    const changes = former === null ? null : await changesSince(former, raw, maskedJson);
    const sealedJson = values.length === 0 ? null : await seal(raw);
    // Read again: it may have been pinned or opened meanwhile.
    const marks = await records.find(connectionId, podId);
    const marked = marks.ok ? marks.value : null;
    const record: PodRecord = {
      connectionId,
      podId,
      isPinned: marked?.isPinned ?? false,
      openedAtMs: marked?.openedAtMs ?? readAtMs,
      look: {
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
    if (values.length > 0 && sealedJson === null) held.set(idOf(record), { readAtMs, json: raw });
    else held.delete(idOf(record));
    // A disk that refuses is logged by the records; what came is shown all the same.
    const kept = await records.put(record);
    if (kept.ok) await tell(connectionId);
    return ok(known(connectionId, podId, record));
  }

  /** Values of the last look, for errors that repeat them. */
  async function knownValues(connectionId: string, podId: string): Promise<string[]> {
    const found = await records.find(connectionId, podId);
    const raw = found.ok && found.value !== null ? await rawOf(found.value) : null;
    return raw?.ok === true && raw.value !== null ? valuesToRedact(envValues(raw.value)) : [];
  }

  async function lastLook(connectionId: string, podId: string): Promise<Result<PodRecord>> {
    const found = await records.find(connectionId, podId);
    if (!found.ok) return found;
    return found.value === null ? failed(notReadYet) : ok(found.value);
  }

  return {
    list,
    async open(connectionId, podId) {
      const found = await records.find(connectionId, podId);
      if (!found.ok) return found;
      if (found.value === null) return ok(known(connectionId, podId, null));
      const record = { ...found.value, openedAtMs: now() };
      const kept = await records.put(record);
      if (kept.ok) await tell(connectionId);
      return ok(known(connectionId, podId, record));
    },
    async read(connectionId, podId, include) {
      const api = await parts.managementApi(connectionId);
      if (!api.ok) return api;
      const { result, exchange } = await api.value.getPod(podId, include, {
        secrets: await knownValues(connectionId, podId),
      });
      return result.ok ? await take(connectionId, podId, include, result.value, exchange) : failed(result.failure);
    },
    async pin(connectionId, podId, isPinned) {
      const found = await lastLook(connectionId, podId);
      if (!found.ok) return found;
      const kept = await records.put({ ...found.value, isPinned });
      if (kept.ok) await tell(connectionId);
      return kept;
    },
    async forget(connectionId, podId) {
      held.delete(idOf({ connectionId, podId }));
      const removed = await records.remove({ connectionId, podId });
      if (removed.ok) await tell(connectionId);
      return removed;
    },
    async envValue(connectionId, podId, name) {
      const found = await lastLook(connectionId, podId);
      if (!found.ok) return found;
      const raw = await rawOf(found.value);
      if (!raw.ok) return raw;
      if (raw.value === null)
        return failed({
          kind: 'absent',
          message: 'The values of this look are gone with a former session. Read the pod again to reveal them.',
        });
      const reply = readPod(raw.value, podId);
      const env = reply.ok ? (reply.value.pod.env ?? {}) : {};
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? failed({ kind: 'absent', message: `The pod has no variable ${name}.` }) : ok(value);
    },
    async browsableAddress(connectionId, podId, port) {
      const found = await lastLook(connectionId, podId);
      if (!found.ok) return found;
      const look = lookOf(found.value);
      const address = look === null ? null : browsableAddress(look.reply.pod, port);
      return address === null
        ? failed({
            kind: 'refused',
            field: 'port',
            message:
              `Port ${port} has no public http address in the pod as last read, or one that Jobdeck does not ` +
              'open.',
          })
        : ok(address);
    },
    async curl(connectionId, podId, include) {
      const restUrl = await parts.restUrlOf(connectionId);
      if (!restUrl.ok) return restUrl;
      if (restUrl.value === '')
        return failed({
          kind: 'refused',
          field: 'connectionId',
          message: 'This connection has no REST URL, which pods and templates need. Add one in its settings.',
        });
      const command = curlForPod(restUrl.value, podId, include);
      return command.ok
        ? ok({ command: command.value })
        : failed({ kind: 'refused', field: 'podId', message: command.failure });
    },
    async connectionRemoved(connectionId) {
      const all = await records.all();
      if (!all.ok) return;
      const gone = all.value.filter((record) => record.connectionId === connectionId);
      for (const record of gone) {
        held.delete(idOf(record));
        await records.remove(record);
      }
      if (gone.length > 0) parts.onChange(connectionId, []);
    },
  };
}
