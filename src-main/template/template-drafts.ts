import { ok, type Result } from '../../src-preload/failure.ts';
import type { TemplateDraft, TemplateEdits } from '../../src-preload/template.ts';
import { KeyedQueue } from '../async/queues.ts';
import { openCollection, type Documents } from '../history/collection.ts';
import { documentId, draftBelonging, draftKind, type StoredDraft, type TemplateAt } from './template-documents.ts';
import type { Seals } from './template-store.ts';

/** Drafts of updates, kept over restarts. Entered values of variables are sealed. Rejects if the disk refuses. */
export interface TemplateDrafts {
  load(at: TemplateAt): Promise<Result<TemplateDraft | null>>;
  /** If the entered values cannot be sealed, everything else is saved, and the failure says why they are not. */
  keep(at: TemplateAt, draft: { baseSeq: number | null; edits: TemplateEdits }): Promise<Result<null>>;
  drop(at: TemplateAt): Promise<void>;
  /** Ids as `documentId` makes them. */
  ids(): Promise<ReadonlySet<string>>;
}

interface TemplateDraftsInput {
  documents: Documents;
  seals: Pick<Seals, 'seal' | 'open'>;
  now: () => number;
}

/** Drafts over the history's documents. */
export function createTemplateDrafts({ documents, seals, now }: TemplateDraftsInput): TemplateDrafts {
  const drafts = openCollection(documents, draftKind);
  /** In the order of the calls: sealing can take as long as a keychain, and an older draft must not come last. */
  const turns = new KeyedQueue();

  async function load(at: TemplateAt): Promise<Result<TemplateDraft | null>> {
    const stored = await drafts.read(at);
    if (stored === null) return ok(null);
    const { baseSeq, savedAtMs, sealedValues } = stored;
    if (sealedValues === null) return ok({ baseSeq, savedAtMs, edits: stored.edits, lostEnv: stored.unsealed ?? [] });
    const opened = await seals.open(sealedValues, draftBelonging(at));
    if (!opened.ok) return opened;
    return ok({ baseSeq, savedAtMs, ...filled(stored, opened.value) });
  }

  async function keep(
    at: TemplateAt,
    { baseSeq, edits }: Pick<TemplateDraft, 'baseSeq' | 'edits'>,
  ): Promise<Result<null>> {
    const values = (edits.env ?? []).map(({ value }) => value);
    const isTyped = values.some((value) => value !== null && value !== '');
    const sealed = isTyped ? await seals.seal(JSON.stringify(values), draftBelonging(at)) : ok(null);
    const open: TemplateEdits =
      edits.env === undefined
        ? edits
        : { ...edits, env: edits.env.map((entry) => (entry.value === null ? entry : { ...entry, value: '' })) };
    const stored: StoredDraft = {
      baseSeq,
      savedAtMs: now(),
      edits: open,
      ...(sealed.ok ? { sealedValues: sealed.value } : { sealedValues: null, unsealed: namesOfTyped(edits) }),
    };
    await drafts.put(at, stored);
    return sealed.ok ? ok(null) : sealed;
  }

  return {
    load,
    keep: (at, draft) => turns.run(documentId(at), () => keep(at, draft)),
    drop: (at) => turns.run(documentId(at), () => drafts.remove(at)),
    async ids() {
      return new Set((await drafts.all()).map(({ id }) => id));
    },
  };
}

/** The variables that have an entered value. */
function namesOfTyped({ env = [] }: TemplateEdits): string[] {
  return env.flatMap(({ name, value }) => (value === null || value === '' ? [] : [name]));
}

/** The edits with their entered values. If those are lost, the names of the variables they belonged to. */
function filled({ edits }: StoredDraft, opened: string | null): Pick<TemplateDraft, 'edits' | 'lostEnv'> {
  const entries = edits.env ?? [];
  const values: unknown = opened === null ? null : JSON.parse(opened);
  if (!Array.isArray(values))
    return { edits, lostEnv: entries.flatMap(({ name, value }) => (value === null ? [] : [name])) };
  const env = entries.map((entry, index) => {
    const value: unknown = values[index];
    return typeof value === 'string' ? { ...entry, value } : entry;
  });
  return { edits: { ...edits, env }, lostEnv: [] };
}
