import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import type { PodReply } from '../../src-preload/pod.ts';
import type {
  TemplateDraft,
  TemplateSource,
  TemplateSummary,
  TemplateUndo,
  TemplateUpdateRecord,
  TemplateUse,
  TemplateView,
} from '../../src-preload/template.ts';
import { errorText } from '../async/error-text.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import type { ManagementApi } from '../service/reply.ts';
import { usesIn } from './pod-uses.ts';
import { documentId } from './template-documents.ts';
import type { StoredTemplate, TemplateAt } from './template-documents.ts';
import { createTemplateDrafts } from './template-drafts.ts';
import { createTemplateStore, isOfAnother, shownCopy } from './template-store.ts';
import type { Seals, SeenReply } from './template-store.ts';
import { isLost, sendUpdate } from './template-update.ts';
import type { UpdateAsked } from './template-update.ts';
import { undoEdits } from './undo-edits.ts';

/** Templates as they were seen (ruling 23), drafts of updates, and the updates themselves. */
export interface Templates {
  /** By name. */
  list(connectionId: string): Promise<Result<TemplateSummary[]>>;
  view(at: TemplateAt): Promise<Result<TemplateView>>;
  /** Keeps a dated copy of a template that a reply held. */
  note(connectionId: string, seen: Omit<SeenReply, 'service'>, source: TemplateSource): Promise<void>;
  /** As `note`, for a pod that was read: its template where it came along, and which endpoint uses which template. */
  notePod(connectionId: string, reply: PodReply): Promise<void>;
  /** The value of one variable of a copy, for one look. */
  revealEnv(at: TemplateAt, seq: number, name: string): Promise<Result<{ value: string }>>;
  /** Null drops the draft. */
  keepDraft(at: TemplateAt, draft: Pick<TemplateDraft, 'baseSeq' | 'edits'> | null): Promise<Result<null>>;
  update(at: TemplateAt, asked: UpdateAsked): Promise<Result<TemplateUpdateRecord>>;
  /** The edits that bring back a former copy; null: what was before the last update. */
  undo(at: TemplateAt, toSeq: number | null): Promise<Result<TemplateUndo>>;
  /** Forgets a template here; the service keeps it. */
  forget(at: TemplateAt): Promise<Result<null>>;
  /** The connection is gone: so is what was seen through it. */
  forgetConnection(connectionId: string): Promise<void>;
}

export interface TemplatesParts {
  documents: Documents;
  seals: Seals;
  apiFor: (connectionId: string) => Promise<Result<Pick<ManagementApi, 'updateTemplate'>>>;
  /**
   * The service a connection points to now: its REST URL, or what stays the same of it where that changes by itself.
   */
  serviceOf: (connectionId: string) => Promise<Result<string>>;
  now: () => number;
  /** Something about a template is on disk now. */
  onChange: (at: TemplateAt) => void;
  log: Log;
}

const mostUses = 50;

export function createTemplates(parts: TemplatesParts): Templates {
  const { seals, onChange, log } = parts;
  const store = createTemplateStore(parts);
  const drafts = createTemplateDrafts(parts);
  /** Updates that are under way now; one that is pending and not here was cut off by a crash. */
  const underWay = new Set<string>();

  /** As an update without an end is told: it may or may not have happened (ruling 9). */
  function settled(at: TemplateAt, record: TemplateUpdateRecord | null): TemplateUpdateRecord | null {
    return record?.outcome.kind === 'pending' && !underWay.has(documentId(at))
      ? { ...record, outcome: { kind: 'unknown', failure: null } }
      : record;
  }

  async function kept<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await run();
    } catch (error) {
      log.error('templates could not be read or kept', { error });
      return failed(storageFailure(error));
    }
  }

  async function view(at: TemplateAt): Promise<Result<TemplateView>> {
    const stored = await store.read(at);
    const copy = stored.current === null ? ok(null) : await store.whole(at, stored.current.seq);
    const draft = await drafts.load(at);
    if (!draft.ok) return draft;
    return ok({
      ...at,
      known: stored.current === null ? null : shownCopy(stored.current),
      // A keychain that does not answer now may answer when it is sent.
      isEnvLost: copy.ok && isLost(copy.value),
      history: stored.history,
      uses: stored.uses,
      podIds: stored.podIds,
      lastUpdate: settled(at, stored.lastUpdate),
      draft: draft.value,
      isVaultLasting: seals.isLasting(),
    });
  }

  async function list(connectionId: string): Promise<Result<TemplateSummary[]>> {
    const [all, draftIds] = await Promise.all([store.all(), drafts.ids()]);
    const own = all.filter((stored) => stored.connectionId === connectionId);
    return ok(
      own
        .map((stored) => summary(stored, settled(stored, stored.lastUpdate), draftIds.has(documentId(stored))))
        .sort((a, b) => (a.name ?? a.templateId).localeCompare(b.name ?? b.templateId)),
    );
  }

  /** A sighting that could not be kept is no failure of the read that brought it. */
  async function noted(at: TemplateAt, keep: () => Promise<unknown>): Promise<void> {
    try {
      await keep();
      onChange(at);
    } catch (error) {
      log.warn('a template that was seen could not be kept', { templateId: at.templateId, error });
    }
  }

  const note = async (
    connectionId: string,
    seen: Omit<SeenReply, 'service'>,
    source: TemplateSource,
  ): Promise<void> => {
    if (seen.template.id === '') return;
    const service = await parts.serviceOf(connectionId);
    const at = { connectionId, templateId: seen.template.id };
    await noted(at, () => store.keep(at, { ...seen, service: service.ok ? service.value : null }, source));
  };

  async function notePod(connectionId: string, reply: PodReply): Promise<void> {
    const { template } = reply.pod;
    if (template !== undefined && template !== null) {
      const oddFields = reply.oddFields.flatMap((name) =>
        name.startsWith('template.') ? [name.slice('template.'.length)] : [],
      );
      await note(
        connectionId,
        { template: template.id === '' ? { ...template, id: reply.pod.templateId ?? '' } : template, oddFields },
        { kind: 'pod', podId: reply.pod.id },
      );
    }
    for (const [templateId, uses] of usesIn(reply, parts.now())) {
      const at = { connectionId, templateId };
      const { uses: former } = await store.read(at).catch(() => ({ uses: [] }));
      if (!uses.every((use) => former.some((one) => isFresh(one, use))))
        await noted(at, () => store.change(at, (stored) => ({ ...stored, uses: joined(stored.uses, uses) })));
    }
  }

  async function update(at: TemplateAt, asked: UpdateAsked): Promise<Result<TemplateUpdateRecord>> {
    const id = documentId(at);
    if (underWay.has(id))
      return failed({ kind: 'refused', message: 'An update of this template is under way. Nothing else was sent.' });
    underWay.add(id);
    try {
      const sent = await sendUpdate(at, asked, {
        store,
        apiFor: parts.apiFor,
        serviceOf: parts.serviceOf,
        now: parts.now,
      });
      if (sent.ok && sent.value.outcome.kind === 'applied') await drafts.drop(at);
      return sent;
    } finally {
      underWay.delete(id);
      onChange(at);
    }
  }

  async function undo(at: TemplateAt, toSeq: number | null): Promise<Result<TemplateUndo>> {
    const { current, lastUpdate } = await store.read(at);
    if (current === null || (toSeq === null && lastUpdate?.outcome.kind !== 'applied'))
      return failed({ kind: 'refused', message: 'There is no update of this template to undo.' });
    const formerSeq = toSeq ?? lastUpdate?.formerSeq ?? null;
    if (formerSeq === null)
      return failed({
        kind: 'refused',
        message: 'What the template was before its last update is not known, so it cannot be brought back.',
      });
    const former = await store.whole(at, formerSeq);
    if (!former.ok) return former;
    const now = await store.whole(at, current.seq);
    if (!now.ok) return now;
    if (former.value === null || now.value === null)
      return failed({ kind: 'absent', message: 'The copy of what the template was before is no longer kept here.' });
    // Its values are that service's secrets.
    if (isOfAnother(former.value, now.value.service ?? null)) {
      const { service = '' } = former.value;
      const message = `That copy was seen at another service, ${service}, so it is not brought back here.`;
      return failed({ kind: 'refused', message });
    }
    return ok(undoEdits(former.value, now.value));
  }

  async function remove(at: TemplateAt): Promise<void> {
    await drafts.drop(at);
    await store.remove(at);
    onChange(at);
  }

  return {
    list: (connectionId) => kept(() => list(connectionId)),
    view: (at) => kept(() => view(at)),
    note,
    notePod,
    revealEnv: (at, seq, name) =>
      kept(async () => {
        const copy = await store.whole(at, seq);
        if (!copy.ok) return copy;
        const value = copy.value?.env?.[name];
        return value === undefined
          ? failed({ kind: 'absent', message: `The value of ${name} can no longer be read here.` })
          : ok({ value });
      }),
    keepDraft: (at, draft) =>
      kept(async () => {
        const had = (await drafts.ids()).has(documentId(at));
        if (draft === null) await drafts.drop(at);
        else {
          const result = await drafts.keep(at, draft);
          if (!result.ok) return result;
          // A draft of a template nobody saw yet is found again in the list.
          await store.change(at, (stored) => stored);
        }
        if (had !== (draft !== null)) onChange(at);
        return ok(null);
      }),
    update: (at, asked) => kept(() => update(at, asked)),
    undo: (at, toSeq) => kept(() => undo(at, toSeq)),
    forget: (at) =>
      kept(async () => {
        await remove(at);
        return ok(null);
      }),
    async forgetConnection(connectionId) {
      try {
        for (const stored of await store.all()) if (stored.connectionId === connectionId) await remove(stored);
      } catch (error) {
        log.warn('templates of a removed connection could not be forgotten', { error });
      }
    },
  };
}

/**
 * Whether a use is known as it was just seen; its date may be a minute old, so that pods read again and again tell
 * nothing new.
 */
function isFresh(known: TemplateUse, seen: TemplateUse): boolean {
  return known.endpointId === seen.endpointId && known.podId === seen.podId && seen.atMs - known.atMs < 60_000;
}

function joined(former: readonly TemplateUse[], seen: readonly TemplateUse[]): TemplateUse[] {
  const endpoints = new Set(seen.map(({ endpointId }) => endpointId));
  return [...seen, ...former.filter(({ endpointId }) => !endpoints.has(endpointId))].slice(0, mostUses);
}

function summary(
  { connectionId, templateId, current, uses }: StoredTemplate,
  lastUpdate: TemplateUpdateRecord | null,
  hasDraft: boolean,
): TemplateSummary {
  const {
    name = null,
    imageName = null,
    category = null,
    isServerless = null,
    isRunpod = null,
  } = current?.template ?? {};
  return {
    connectionId,
    templateId,
    name,
    imageName,
    category,
    isServerless,
    isRunpod,
    hasDraft,
    seenAtMs: current?.seenAtMs ?? null,
    source: current?.source ?? null,
    endpointIds: uses.map(({ endpointId }) => endpointId),
    lastOutcome: lastUpdate?.outcome.kind ?? null,
  };
}

function storageFailure(error: unknown): Failure {
  return {
    kind: 'storage',
    message: 'What is kept of the templates cannot be read or written now. What you typed stays in the window.',
    detail: errorText(error),
  };
}
