import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Template, TemplateSnapshot, TemplateSource, TemplateUpdate } from '../../src-preload/template.ts';
import { KeyedQueue } from '../async/queues.ts';
import { openCollection, type Collection, type Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
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

/** Seals the values of variables (secret/vault.ts). */
export interface Seals {
  seal(text: string, belonging: string): Promise<Result<string>>;
  open(sealed: string, belonging: string): Promise<Result<string | null>>;
  isLasting(): boolean;
}

/** A template as a reply gave it. */
export interface SeenReply {
  template: Template;
  oddFields: readonly string[];
  /** The service it came from: a connection may point to another one later. */
  service: string | null;
}

/** Copies kept of one template. */
export const mostCopies = 50;
/** Pods remembered of one template, the last seen first. */
const mostPodIds = 10;

/** What a window may see of a copy. */
export function shownCopy(copy: StoredCopy): TemplateSnapshot {
  const { seq, atMs, seenAtMs, source, template, carriedAtMs, oddFields } = copy;
  return { seq, atMs, seenAtMs, source, template, carriedAtMs, oddFields };
}

export interface TemplateStoreParts {
  documents: Documents;
  seals: Seals;
  now: () => number;
  log: Log;
}

/** Templates as they were seen, each with its dated copies (ruling 23). Rejects when the disk does. */
export class TemplateStore {
  readonly #parts: TemplateStoreParts;
  readonly #templates: Collection<StoredTemplate, TemplateAt>;
  readonly #copies: Collection<StoredCopy, TemplateAt & { seq: number }>;
  /** By template, so that no change overwrites another with what it read before. */
  readonly #changes = new KeyedQueue();

  constructor(parts: TemplateStoreParts) {
    this.#parts = parts;
    this.#templates = openCollection(parts.documents, templateKind);
    this.#copies = openCollection(parts.documents, copyKind);
  }

  /** All templates that are kept and can be read. */
  async all(): Promise<StoredTemplate[]> {
    return (await this.#templates.all()).flatMap(({ value }) => value ?? []);
  }

  /** What is kept of a template; an empty record where nothing is, or where it cannot be read. */
  async read(at: TemplateAt): Promise<StoredTemplate> {
    const kept = await this.#templates.find(at);
    if (kept !== null && kept.value === null)
      this.#parts.log.warn('what was kept of a template cannot be read', { templateId: at.templateId });
    return kept?.value ?? { ...at, current: null, history: [], uses: [], podIds: [], lastUpdate: null };
  }

  /** Changes what is kept of a template; changes of one template happen one after the other. */
  change(at: TemplateAt, edit: (stored: StoredTemplate) => StoredTemplate): Promise<StoredTemplate> {
    return this.#changes.run(documentId(at), async () => {
      const changed = edit(await this.read(at));
      await this.#put(changed);
      return changed;
    });
  }

  /** Keeps a copy of what was seen; the same values again only renew its date. `sent` is what an update asked for. */
  keep(at: TemplateAt, seen: SeenReply, source: TemplateSource, sent: TemplateUpdate = {}): Promise<StoredCopy> {
    return this.#changes.run(documentId(at), () => this.#keepNow(at, seen, source, sent));
  }

  /** A copy with its variables; null where there is no such copy. */
  async whole(at: TemplateAt, seq: number): Promise<Result<WholeCopy | null>> {
    const { current } = await this.read(at);
    const copy = current?.seq === seq ? current : await this.#copies.read({ ...at, seq });
    return copy === null ? ok(null) : this.#wholeOf(at, copy);
  }

  /** Deletes a template's record and its copies here. The template on the service stays. */
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
    // Of another service's template nothing is known from this one's.
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
        ? [source.podId, ...stored.podIds.filter((id) => id !== source.podId)].slice(0, mostPodIds)
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
      // As they are sealed, so that they need not be opened to be carried on.
      sealedEnv: isEnvCarried ? (current?.sealedEnv ?? null) : await this.#sealed(at, env),
    };
    await this.#add({ ...stored, current: copy, podIds }, copy);
    return copy;
  }

  /** Keeps a new copy as the current one, and lets go of those that are too many. */
  async #add(stored: StoredTemplate, copy: StoredCopy): Promise<void> {
    const { connectionId, templateId } = stored;
    const history = [{ seq: copy.seq, atMs: copy.atMs, source: copy.source }, ...stored.history];
    await this.#copies.put({ connectionId, templateId, seq: copy.seq }, copy);
    await this.#put({ ...stored, history: history.slice(0, mostCopies) });
    for (const { seq } of history.slice(mostCopies)) await this.#copies.remove({ connectionId, templateId, seq });
  }

  /** A copy as far as it is known: a keychain that does not answer hides the values of its variables alone. */
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
    const opened = await this.#parts.seals.open(sealedEnv, templateBelonging(at));
    return opened.ok ? ok(parseEnv(opened.value)) : failed(opened.failure);
  }

  async #wholeOf(at: TemplateAt, copy: StoredCopy): Promise<Result<WholeCopy>> {
    const env = await this.#envOf(at, copy);
    return env.ok ? ok(withEnv(copy, env.value)) : env;
  }

  async #sealed(at: TemplateAt, env: Template['env']): Promise<string | null> {
    if (env === undefined || env === null || Object.keys(env).length === 0) return null;
    for (const value of Object.values(env)) this.#parts.log.hide(value);
    const result = await this.#parts.seals.seal(JSON.stringify(env), templateBelonging(at));
    if (!result.ok)
      this.#parts.log.warn('the variables of a template could not be sealed and are not kept', {
        detail: result.failure.message,
      });
    return result.ok ? result.value : null;
  }
}

/** Whether a copy was seen at another service than this one. */
export function isOfAnother(copy: Pick<StoredCopy, 'service'>, service: string | null): boolean {
  return copy.service !== undefined && service !== null && copy.service !== service;
}

/** A copy with its variables; null: their values cannot be read, and stand empty under their names. */
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
