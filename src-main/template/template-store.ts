import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Template, TemplateSnapshot, TemplateSource, TemplateUpdate } from '../../src-preload/template.ts';
import { KeyedQueue } from '../async/queues.ts';
import { openCollection, type Collection, type Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../secret/vault.ts';
import { isSameTemplate, mergeCopy, type WholeCopy } from './template-copy.ts';
import {
  copyKind,
  documentId,
  parseEnv,
  templateKind,
  type StoredCopy,
  type StoredTemplate,
  type TemplateAt,
  templateBelonging,
} from './template-documents.ts';

/** A template as it was in a reply. */
export interface SeenReply {
  template: Template;
  oddFields: readonly string[];
  /** The service it came from, because the connection may be changed to another one. */
  service: string | null;
}

/** How many copies of a template are kept. */
export const maxCopies = 50;
/** How many pods of a template are remembered, the last seen first. */
const maxPodIds = 10;

/** The part of a copy that windows get. */
export function shownCopy(copy: StoredCopy): TemplateSnapshot {
  const { seq, atMs, seenAtMs, source, template, carriedAtMs, oddFields } = copy;
  return { seq, atMs, seenAtMs, source, template, carriedAtMs, oddFields };
}

export interface TemplateStoreParts {
  documents: Documents;
  /** Seals the values of variables. */
  vault: Pick<Vault, 'seal' | 'open'>;
  now: () => number;
  log: Log;
}

/** Templates as they were seen, each with its dated copies (ruling 23). Rejects if the disk refuses. */
export class TemplateStore {
  readonly #parts: TemplateStoreParts;
  readonly #templates: Collection<StoredTemplate, TemplateAt>;
  readonly #copies: Collection<StoredCopy, TemplateAt & { seq: number }>;
  /** By template, so that no change overwrites another with values that it read before. */
  readonly #changes = new KeyedQueue();

  constructor(parts: TemplateStoreParts) {
    this.#parts = parts;
    this.#templates = openCollection(parts.documents, templateKind);
    this.#copies = openCollection(parts.documents, copyKind);
  }

  /** All saved templates that can be read. */
  async all(): Promise<StoredTemplate[]> {
    return (await this.#templates.all()).flatMap(({ value }) => value ?? []);
  }

  /** The saved record of a template. Empty if there is none, or it cannot be read. */
  async read(at: TemplateAt): Promise<StoredTemplate> {
    const kept = await this.#templates.find(at);
    if (kept !== null && kept.value === null)
      this.#parts.log.warn('what was kept of a template cannot be read', { templateId: at.templateId });
    return kept?.value ?? { ...at, current: null, history: [], uses: [], podIds: [], lastUpdate: null };
  }

  /** Changes the saved record of a template. Changes of one template run one after the other. */
  change(at: TemplateAt, edit: (stored: StoredTemplate) => StoredTemplate): Promise<StoredTemplate> {
    return this.#changes.run(documentId(at), async () => {
      const changed = edit(await this.read(at));
      await this.#put(changed);
      return changed;
    });
  }

  /**
   * Saves a copy of what was seen. If the values are unchanged, only its date is updated. `sent` is what an update
   * requested.
   */
  save(at: TemplateAt, seen: SeenReply, source: TemplateSource, sent: TemplateUpdate = {}): Promise<StoredCopy> {
    return this.#changes.run(documentId(at), () => this.#keepNow(at, seen, source, sent));
  }

  /** A copy with its variables, or null if there is no such copy. */
  async whole(at: TemplateAt, seq: number): Promise<Result<WholeCopy | null>> {
    const { current } = await this.read(at);
    const copy = current?.seq === seq ? current : await this.#copies.read({ ...at, seq });
    return copy === null ? ok(null) : this.#wholeOf(at, copy);
  }

  /** Deletes a template's record and its copies here. The service's template is not touched. */
  remove(at: TemplateAt): Promise<void> {
    return this.#changes.run(documentId(at), async () => {
      const { history } = await this.read(at);
      for (const { seq } of history) await this.#copies.remove({ ...at, seq });
      await this.#templates.remove(at);
    });
  }

  async #keepNow(at: TemplateAt, seen: SeenReply, source: TemplateSource, sent: TemplateUpdate): Promise<StoredCopy> {
    const nowMs = this.#parts.now();
    const stored = await this.read(at);
    // A copy from another service says nothing about this template.
    const current = stored.current !== null && isOfAnother(stored.current, seen.service) ? null : stored.current;
    const former = current === null ? null : await this.#knownOf(at, current);
    const { template, carriedAtMs } = mergeCopy(
      former === null || current === null
        ? null
        : { template: former.template, carriedAtMs: current.carriedAtMs, seenAtMs: current.seenAtMs },
      { ...seen.template, id: at.templateId },
      sent,
      nowMs,
    );
    const podIds =
      source.kind === 'pod'
        ? [source.podId, ...stored.podIds.filter((id) => id !== source.podId)].slice(0, maxPodIds)
        : stored.podIds;
    const isEnvCarried = carriedAtMs.env !== undefined && !Object.hasOwn(sent, 'env');
    const seenNow = {
      seenAtMs: nowMs,
      source,
      carriedAtMs,
      oddFields: [...seen.oddFields],
      ...(seen.service === null ? {} : { service: seen.service }),
    };

    if (
      current !== null &&
      former !== null &&
      (isEnvCarried || former.env !== null || template.env == null) &&
      isSameTemplate(former.template, template)
    ) {
      const renewed: StoredCopy = { ...current, ...seenNow };
      await this.#put({ ...stored, current: renewed, podIds });
      return renewed;
    }

    const { env, ...rest } = template;
    const copy: StoredCopy = {
      seq: (stored.history[0]?.seq ?? 0) + 1,
      atMs: nowMs,
      ...seenNow,
      template: { ...rest, ...(env === undefined ? {} : { env: env === null ? null : Object.keys(env) }) },
      // In sealed form, so that they can be carried over without opening them.
      sealedEnv: isEnvCarried ? (current?.sealedEnv ?? null) : await this.#sealed(at, env),
    };
    await this.#add({ ...stored, current: copy, podIds }, copy);
    return copy;
  }

  /** Saves a new copy as the current one, and deletes the oldest if there are too many. */
  async #add(stored: StoredTemplate, copy: StoredCopy): Promise<void> {
    const { connectionId, templateId } = stored;
    const history = [{ seq: copy.seq, atMs: copy.atMs, source: copy.source }, ...stored.history];
    await this.#copies.put({ connectionId, templateId, seq: copy.seq }, copy);
    await this.#put({ ...stored, history: history.slice(0, maxCopies) });
    for (const { seq } of history.slice(maxCopies)) await this.#copies.remove({ connectionId, templateId, seq });
  }

  /** A copy as far as it can be read. If the keychain does not answer, only the values of its variables are missing. */
  async #knownOf(at: TemplateAt, copy: StoredCopy): Promise<WholeCopy> {
    const whole = await this.#wholeOf(at, copy);
    return whole.ok ? whole.value : withEnv(copy, null);
  }

  #put(stored: StoredTemplate): Promise<void> {
    return this.#templates.put(stored, stored);
  }

  /** Null: there are none, or they can no longer be read. */
  async #envOf(at: TemplateAt, { template, sealedEnv }: StoredCopy): Promise<Result<Record<string, string> | null>> {
    if (template.env === undefined || template.env === null) return ok(null);
    if (template.env.length === 0) return ok({});
    if (sealedEnv === null) return ok(null);
    const opened = await this.#parts.vault.open(sealedEnv, templateBelonging(at));
    return opened.ok ? ok(parseEnv(opened.value)) : failed(opened.failure);
  }

  async #wholeOf(at: TemplateAt, copy: StoredCopy): Promise<Result<WholeCopy>> {
    const env = await this.#envOf(at, copy);
    return env.ok ? ok(withEnv(copy, env.value)) : env;
  }

  async #sealed(at: TemplateAt, env: Template['env']): Promise<string | null> {
    if (env === undefined || env === null || Object.keys(env).length === 0) return null;
    for (const value of Object.values(env)) this.#parts.log.hide(value);
    const result = await this.#parts.vault.seal(JSON.stringify(env), templateBelonging(at));
    if (!result.ok)
      this.#parts.log.warn('the variables of a template could not be sealed and are not saved', {
        detail: result.failure.message,
      });
    return result.ok ? result.value : null;
  }
}

/** Whether a copy was seen at another service than this one. */
export function isOfAnother(copy: Pick<StoredCopy, 'service'>, service: string | null): boolean {
  return copy.service !== undefined && service !== null && copy.service !== service;
}

/** A copy with its variables. With null their values cannot be read, and are empty. */
function withEnv({ seq, service, template }: StoredCopy, env: WholeCopy['env']): WholeCopy {
  const { env: names, ...rest } = template;
  return {
    seq,
    ...(service === undefined ? {} : { service }),
    env,
    template: {
      ...rest,
      ...(names === undefined
        ? {}
        : { env: names === null ? null : (env ?? Object.fromEntries(names.map((name) => [name, '']))) }),
    },
  };
}
