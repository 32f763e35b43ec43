import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Template, TemplateSnapshot, TemplateSource, TemplateUpdate } from '../../src-preload/template.ts';
import { openCollection } from '../history/collection.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { isSameTemplate, mergeCopy } from './copy-merge.ts';
import { copyKind, documentId, parseEnv, templateKind } from './template-documents.ts';
import type { StoredCopy, StoredTemplate, TemplateAt } from './template-documents.ts';
import type { WholeCopy } from './undo-edits.ts';

/** Seals the values of variables (secret/vault.ts). */
export interface Seals {
  seal(text: string): Promise<Result<string>>;
  open(sealed: string): Promise<Result<string | null>>;
  isLasting(): boolean;
}

/** A template as a reply gave it. */
export interface SeenReply {
  template: Template;
  oddFields: readonly string[];
  /** The service it came from: a connection may point to another one later. */
  service: string | null;
}

/** Templates as they were seen, each with its dated copies (ruling 23). Rejects when the disk does. */
export interface TemplateStore {
  all(): Promise<StoredTemplate[]>;
  read(at: TemplateAt): Promise<StoredTemplate>;
  /** Changes what is kept of a template; changes of one template happen one after the other. */
  change(at: TemplateAt, edit: (stored: StoredTemplate) => StoredTemplate): Promise<StoredTemplate>;
  /** Keeps a copy of what was seen; the same values again only renew its date. `sent` is what an update asked for. */
  keep(at: TemplateAt, seen: SeenReply, source: TemplateSource, sent?: TemplateUpdate): Promise<StoredCopy>;
  /** A copy with its variables; null where there is no such copy. */
  whole(at: TemplateAt, seq: number): Promise<Result<WholeCopy | null>>;
  remove(at: TemplateAt): Promise<void>;
}

/** Copies kept of one template. */
export const mostCopies = 50;

/** What a window may see of a copy. */
export function shownCopy({
  seq,
  atMs,
  seenAtMs,
  source,
  template,
  carriedAtMs,
  oddFields,
}: StoredCopy): TemplateSnapshot {
  return { seq, atMs, seenAtMs, source, template, carriedAtMs, oddFields };
}

/** A store over the history's documents. */
export function createTemplateStore({
  documents,
  seals,
  now,
  log,
}: {
  documents: Documents;
  seals: Seals;
  now: () => number;
  log: Log;
}): TemplateStore {
  const templates = openCollection(documents, templateKind);
  const copies = openCollection(documents, copyKind);
  /** The last change of each template, so that none overwrites another with what it read before. */
  const turns = new Map<string, Promise<unknown>>();
  function inOrder<T>(at: TemplateAt, run: () => Promise<T>): Promise<T> {
    const id = documentId(at);
    const turn = (turns.get(id) ?? Promise.resolve()).then(run, run);
    const end: Promise<unknown> = turn
      .then(
        () => null,
        () => null,
      )
      .then(() => {
        if (turns.get(id) === end) turns.delete(id);
      });
    turns.set(id, end);
    return turn;
  }

  async function read(at: TemplateAt): Promise<StoredTemplate> {
    const kept = await templates.find(at);
    if (kept !== null && kept.value === null)
      log.warn('what was kept of a template cannot be read', { templateId: at.templateId });
    return kept?.value ?? { ...at, current: null, history: [], uses: [], podIds: [], lastUpdate: null };
  }

  const put = (stored: StoredTemplate): Promise<void> => templates.put(stored, stored);

  /** Null: there are none, or they cannot be read any more. */
  async function envOf({
    template,
    sealedEnv,
  }: Pick<StoredCopy, 'template' | 'sealedEnv'>): Promise<Result<Record<string, string> | null>> {
    if (template.env === undefined || template.env === null) return ok(null);
    if (template.env.length === 0) return ok({});
    if (sealedEnv === null) return ok(null);
    const opened = await seals.open(sealedEnv);
    return opened.ok ? ok(parseEnv(opened.value)) : failed(opened.failure);
  }

  async function wholeOf(copy: StoredCopy): Promise<Result<WholeCopy>> {
    const env = await envOf(copy);
    return env.ok ? ok(withEnv(copy, env.value)) : env;
  }

  async function sealed(env: Template['env']): Promise<string | null> {
    if (env === undefined || env === null || Object.keys(env).length === 0) return null;
    for (const value of Object.values(env)) log.hide(value);
    const result = await seals.seal(JSON.stringify(env));
    if (!result.ok)
      log.warn('the variables of a template could not be sealed and are not kept', { detail: result.failure.message });
    return result.ok ? result.value : null;
  }

  async function keep(
    at: TemplateAt,
    seen: SeenReply,
    source: TemplateSource,
    sent: TemplateUpdate = {},
  ): Promise<StoredCopy> {
    const nowMs = now();
    const stored = await read(at);
    // Of another service's template nothing is known from this one's.
    const current = stored.current !== null && isOfAnother(stored.current, seen.service) ? null : stored.current;
    const opened = current === null ? null : await wholeOf(current);
    // A keychain that does not answer hides the values alone: the rest is known all the same.
    const former = opened?.ok === true ? opened.value : current === null ? null : withEnv(current, null);
    const formerCopy =
      former === null || current === null
        ? null
        : { template: former.template, carriedAtMs: current.carriedAtMs, seenAtMs: current.seenAtMs };
    const { template, carriedAtMs } = mergeCopy(formerCopy, { ...seen.template, id: at.templateId }, sent, nowMs);
    const podIds =
      source.kind === 'pod'
        ? [source.podId, ...stored.podIds.filter((id) => id !== source.podId)].slice(0, 10)
        : stored.podIds;
    const isEnvCarried = carriedAtMs.env !== undefined && !Object.hasOwn(sent, 'env');

    if (
      current !== null &&
      former !== null &&
      (isEnvCarried || former.env !== null || template.env == null) &&
      isSameTemplate(former.template, template)
    ) {
      const renewed: StoredCopy = {
        ...current,
        seenAtMs: nowMs,
        source,
        carriedAtMs,
        oddFields: [...seen.oddFields],
        ...(seen.service === null ? {} : { service: seen.service }),
      };
      await put({ ...stored, current: renewed, podIds });
      return renewed;
    }

    const { env, ...rest } = template;
    const copy: StoredCopy = {
      seq: (stored.history[0]?.seq ?? 0) + 1,
      atMs: nowMs,
      seenAtMs: nowMs,
      source,
      carriedAtMs,
      oddFields: [...seen.oddFields],
      ...(seen.service === null ? {} : { service: seen.service }),
      template: { ...rest, ...(env === undefined ? {} : { env: env === null ? null : Object.keys(env) }) },
      // As they are sealed, so that they need not be opened to be carried on.
      sealedEnv: isEnvCarried ? (current?.sealedEnv ?? null) : await sealed(env),
    };
    const history = [{ seq: copy.seq, atMs: copy.atMs, source }, ...stored.history];
    await copies.put({ ...at, seq: copy.seq }, copy);
    await put({ ...stored, current: copy, podIds, history: history.slice(0, mostCopies) });
    for (const { seq } of history.slice(mostCopies)) await copies.remove({ ...at, seq });
    return copy;
  }

  return {
    async all() {
      return (await templates.all()).flatMap(({ value }) => value ?? []);
    },
    read,
    change: (at, edit) =>
      inOrder(at, async () => {
        const changed = edit(await read(at));
        await put(changed);
        return changed;
      }),
    keep: (at, seen, source, sent) => inOrder(at, () => keep(at, seen, source, sent)),
    async whole(at, seq) {
      const { current } = await read(at);
      const copy = current?.seq === seq ? current : await copies.read({ ...at, seq });
      return copy === null ? ok(null) : wholeOf(copy);
    },
    remove: (at) =>
      inOrder(at, async () => {
        const { history } = await read(at);
        for (const { seq } of history) await copies.remove({ ...at, seq });
        await templates.remove(at);
      }),
  };
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
