import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { PodReply } from '../../src-preload/pod.ts';
import type {
  TemplateSource,
  TemplateSummary,
  TemplateUndo,
  TemplateUpdateRecord,
  TemplateUse,
  TemplateView,
} from '../../src-preload/template.ts';
import { orStorageFailure } from '../history/storage-failure.ts';
import type { Log } from '../log.ts';
import { InFlight } from '../async/queues.ts';
import type { ManagementApi } from '../service/reply.ts';
import { usesIn, documentId, type StoredTemplate, type TemplateAt } from './template-documents.ts';
import { createTemplateDrafts, type EnteredDraft, type TemplateDrafts } from './template-drafts.ts';
import type { Vault } from '../secret/vault.ts';
import { TemplateStore, isOfAnother, shownCopy, type SeenReply } from './template-store.ts';
import type { Documents } from '../history/collection.ts';
import { isLost, sendUpdate, type UpdateRequest } from './template-update.ts';
import { undoEdits } from './template-copy.ts';
import { templateText, templateUndoText, templateUpdateText } from '../messages/resources.ts';

export interface TemplatesParts {
  documents: Documents;
  vault: Vault;
  apiFor: (connectionId: string) => Promise<Result<Pick<ManagementApi, 'updateTemplate'>>>;
  /** The service that a connection points to now: its REST URL, or a fixed name if that changes with every start. */
  serviceOf: (connectionId: string) => Promise<Result<string>>;
  now: () => number;
  /** A change about a template is on disk. */
  onChange: (at: TemplateAt) => void;
  log: Log;
}

const maxUses = 50;

/** Templates as they were seen (ruling 23), drafts of updates, and the updates themselves. */
export class Templates {
  readonly #parts: TemplatesParts;
  readonly #store: TemplateStore;
  readonly #drafts: TemplateDrafts;
  /** Updates in progress. A pending update that is not among them was interrupted by a crash. */
  readonly #inProgress = new InFlight();
  /** Templates that were deleted while an update of them was in progress, which saves its outcome at its end. */
  readonly #forgotten = new Set<string>();

  constructor(parts: TemplatesParts) {
    this.#parts = parts;
    this.#store = new TemplateStore(parts);
    this.#drafts = createTemplateDrafts(parts);
  }

  /** By name. */
  list(connectionId: string): Promise<Result<TemplateSummary[]>> {
    return this.#orFailure(() => this.#listNow(connectionId));
  }

  /** A template as last seen, with its copies and updates. */
  view(at: TemplateAt): Promise<Result<TemplateView>> {
    return this.#orFailure(() => this.#viewNow(at));
  }

  /** Saves a dated copy of a template that was in a reply. */
  async note(connectionId: string, seen: Omit<SeenReply, 'service'>, source: TemplateSource): Promise<void> {
    if (seen.template.id === '') return;
    const service = await this.#parts.serviceOf(connectionId);
    const at = { connectionId, templateId: seen.template.id };
    await this.#noted(at, () => this.#store.save(at, { ...seen, service: service.ok ? service.value : null }, source));
  }

  /** As `note`, for a pod that was read: its template if it was included, and which endpoint uses which template. */
  async notePod(connectionId: string, reply: PodReply): Promise<void> {
    const { template } = reply.pod;
    if (template !== undefined && template !== null) {
      const oddFields = reply.oddFields.flatMap((name) =>
        name.startsWith('template.') ? [name.slice('template.'.length)] : [],
      );
      await this.note(
        connectionId,
        { template: template.id === '' ? { ...template, id: reply.pod.templateId ?? '' } : template, oddFields },
        { kind: 'pod', podId: reply.pod.id },
      );
    }
    for (const [templateId, uses] of usesIn(reply, this.#parts.now())) {
      const at = { connectionId, templateId };
      const { uses: former } = await this.#store.read(at).catch(() => ({ uses: [] }));
      if (!uses.every((use) => former.some((one) => isFresh(one, use))))
        await this.#noted(at, () =>
          this.#store.change(at, (stored) => ({ ...stored, uses: joined(stored.uses, uses) })),
        );
    }
  }

  /** The value of one variable of a copy, to be shown briefly. */
  revealEnv(at: TemplateAt, seq: number, name: string): Promise<Result<{ value: string }>> {
    return this.#orFailure(async () => {
      const copy = await this.#store.whole(at, seq);
      if (!copy.ok) return copy;
      const value = copy.value?.env?.[name];
      return value === undefined ? failed({ kind: 'absent', message: templateText.valueLost(name) }) : ok({ value });
    });
  }

  /** Null drops the draft. */
  saveDraft(at: TemplateAt, draft: EnteredDraft | null): Promise<Result<null>> {
    return this.#orFailure(async () => {
      const had = (await this.#drafts.ids()).has(documentId(at));
      let kept: Result<null> = ok(null);
      if (draft === null) await this.#drafts.drop(at);
      else {
        kept = await this.#drafts.save(at, draft);
        // A draft of a template that was never read must still be in the list.
        await this.#store.change(at, (stored) => stored);
      }
      if (had !== (draft !== null)) this.#parts.onChange(at);
      // Even if not ok, all but the values of variables is on disk.
      return kept;
    });
  }

  /**
   * Sends an update, after checking that the template is still as the user saw it. Refused while another is being sent.
   */
  update(at: TemplateAt, request: UpdateRequest): Promise<Result<TemplateUpdateRecord>> {
    return this.#orFailure(async () => {
      const sent = this.#inProgress.run(documentId(at), () => this.#updateNow(at, request));
      if (sent === null) return failed({ kind: 'refused', message: templateUpdateText.inProgress });
      try {
        return await sent;
      } finally {
        this.#parts.onChange(at);
      }
    });
  }

  /** The edits that restore a former copy. Null: the state before the last update. */
  undo(at: TemplateAt, toSeq: number | null): Promise<Result<TemplateUndo>> {
    return this.#orFailure(() => this.#undoNow(at, toSeq));
  }

  /** Deletes what is saved of a template. The service's template is not touched. */
  forget(at: TemplateAt): Promise<Result<null>> {
    return this.#orFailure(async () => {
      if (this.#inProgress.has(documentId(at))) this.#forgotten.add(documentId(at));
      await this.#remove(at);
      return ok(null);
    });
  }

  /** The connection was removed: what was seen through it is deleted. */
  async forgetConnection(connectionId: string): Promise<void> {
    try {
      for (const stored of await this.#store.all())
        if (stored.connectionId === connectionId) await this.#remove(stored);
    } catch (error) {
      this.#parts.log.warn('templates of a removed connection could not be forgotten', { error });
    }
  }

  /** An update without an end is shown as an unknown outcome (ruling 9). */
  #settled(at: TemplateAt, record: TemplateUpdateRecord | null): TemplateUpdateRecord | null {
    return record?.outcome.kind === 'pending' && !this.#inProgress.has(documentId(at))
      ? { ...record, outcome: { kind: 'unknown', failure: null } }
      : record;
  }

  #orFailure<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return orStorageFailure(this.#parts.log, templateText.storage, work);
  }

  async #viewNow(at: TemplateAt): Promise<Result<TemplateView>> {
    const stored = await this.#store.read(at);
    const copy = stored.current === null ? ok(null) : await this.#store.whole(at, stored.current.seq);
    const draft = await this.#drafts.load(at);
    if (!draft.ok) return draft;
    return ok({
      ...at,
      known: stored.current === null ? null : shownCopy(stored.current),
      // A keychain that does not answer now may answer when the update is sent.
      isEnvLost: copy.ok && isLost(copy.value),
      history: stored.history,
      uses: stored.uses,
      podIds: stored.podIds,
      lastUpdate: this.#settled(at, stored.lastUpdate),
      draft: draft.value,
      isVaultLasting: this.#parts.vault.isLasting(),
    });
  }

  async #listNow(connectionId: string): Promise<Result<TemplateSummary[]>> {
    const [all, draftIds] = await Promise.all([this.#store.all(), this.#drafts.ids()]);
    const own = all.filter((stored) => stored.connectionId === connectionId);
    return ok(
      own
        .map((stored) => summary(stored, this.#settled(stored, stored.lastUpdate), draftIds.has(documentId(stored))))
        .sort((a, b) => (a.name ?? a.templateId).localeCompare(b.name ?? b.templateId)),
    );
  }

  /** If a copy could not be saved, the read that returned it does not fail. */
  async #noted(at: TemplateAt, save: () => Promise<unknown>): Promise<void> {
    try {
      await save();
      this.#parts.onChange(at);
    } catch (error) {
      this.#parts.log.warn('a template that was seen could not be saved', { templateId: at.templateId, error });
    }
  }

  async #updateNow(at: TemplateAt, request: UpdateRequest): Promise<Result<TemplateUpdateRecord>> {
    const { apiFor, serviceOf, now } = this.#parts;
    try {
      const sent = await sendUpdate(at, request, { store: this.#store, apiFor, serviceOf, now });
      if (sent.ok && sent.value.outcome.kind === 'applied') await this.#drafts.applied(at);
      return sent;
    } finally {
      if (this.#forgotten.delete(documentId(at))) await this.#remove(at);
    }
  }

  async #undoNow(at: TemplateAt, toSeq: number | null): Promise<Result<TemplateUndo>> {
    const { current, lastUpdate } = await this.#store.read(at);
    if (current === null || (toSeq === null && lastUpdate?.outcome.kind !== 'applied'))
      return failed({ kind: 'refused', message: templateUndoText.noUpdate });
    const formerSeq = toSeq ?? lastUpdate?.formerSeq ?? null;
    if (formerSeq === null) return failed({ kind: 'refused', message: templateUndoText.unknownState });
    const former = await this.#store.whole(at, formerSeq);
    if (!former.ok) return former;
    const now = await this.#store.whole(at, current.seq);
    if (!now.ok) return now;
    if (former.value === null || now.value === null)
      return failed({ kind: 'absent', message: templateUndoText.copyGone });
    // Its values are secrets of its service.
    if (isOfAnother(former.value, now.value.service ?? null)) {
      const { service = '' } = former.value;
      return failed({ kind: 'refused', message: templateUndoText.otherService(service) });
    }
    return ok(undoEdits(former.value, now.value));
  }

  async #remove(at: TemplateAt): Promise<void> {
    await this.#drafts.drop(at);
    await this.#store.remove(at);
    this.#parts.onChange(at);
  }
}

/** Whether a use is known already. Its date may be a minute old, so that repeated reads of a pod cause no writes. */
function isFresh(known: TemplateUse, seen: TemplateUse): boolean {
  return known.endpointId === seen.endpointId && known.podId === seen.podId && seen.atMs - known.atMs < 60_000;
}

function joined(former: readonly TemplateUse[], seen: readonly TemplateUse[]): TemplateUse[] {
  const endpoints = new Set(seen.map(({ endpointId }) => endpointId));
  return [...seen, ...former.filter(({ endpointId }) => !endpoints.has(endpointId))].slice(0, maxUses);
}

function summary(
  { connectionId, templateId, current, history, uses }: StoredTemplate,
  lastUpdate: TemplateUpdateRecord | null,
  hasDraft: boolean,
): TemplateSummary {
  const template = current?.template;
  return {
    connectionId,
    templateId,
    name: template?.name ?? null,
    imageName: template?.imageName ?? null,
    category: template?.category ?? null,
    isServerless: template?.isServerless ?? null,
    isRunpod: template?.isRunpod ?? null,
    hasDraft,
    seenAtMs: current?.seenAtMs ?? null,
    source: current?.source ?? null,
    endpointIds: uses.map(({ endpointId }) => endpointId),
    lastOutcome: lastUpdate?.outcome.kind ?? null,
    updatedAtMs: updateTimes(history, lastUpdate),
  };
}

/** The copy of the last update may have been seen earlier, or again at a pod since, which is then its source. */
function updateTimes(history: StoredTemplate['history'], last: TemplateUpdateRecord | null): number[] {
  const lastSeq = last?.outcome.kind === 'applied' ? last.outcome.seq : null;
  const former = history.flatMap(({ seq, atMs, source }) =>
    source.kind === 'update-reply' && seq !== lastSeq ? [atMs] : [],
  );
  return [...former, ...(last !== null && lastSeq !== null ? [last.atMs] : [])].sort((a, b) => a - b);
}
