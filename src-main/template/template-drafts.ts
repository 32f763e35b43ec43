import { ok, type Result } from '../../src-preload/failure.ts';
import type { TemplateDraft, TemplateEdits } from '../../src-preload/template.ts';
import { KeyedQueue } from '../async/queues.ts';
import { z } from 'zod';
import { openCollection, parseDocument, type Documents } from '../history/collection.ts';
import { documentId, draftBelonging, draftKind, type StoredDraft, type TemplateAt } from './template-documents.ts';
import type { Vault } from '../secret/vault.ts';

/** What a window has entered for an update of a template. */
export type EnteredDraft = Pick<TemplateDraft, 'baseSeq' | 'edits' | 'pastedEnv'>;

/**
 * Drafts of updates, kept over restarts. Entered values of variables and a pasted .env file are sealed. Rejects if the
 * disk refuses.
 */
export interface TemplateDrafts {
  load(at: TemplateAt): Promise<Result<TemplateDraft | null>>;
  /** What cannot be sealed is not saved, and the failure says why. Everything else is saved. */
  save(at: TemplateAt, draft: EnteredDraft): Promise<Result<null>>;
  drop(at: TemplateAt): Promise<void>;
  /** The update was applied: only a pasted .env file that was not imported is still a draft. */
  applied(at: TemplateAt): Promise<void>;
  /** Ids as `documentId` makes them. */
  ids(): Promise<ReadonlySet<string>>;
}

interface TemplateDraftsParts {
  documents: Documents;
  vault: Pick<Vault, 'seal' | 'open'>;
  now: () => number;
}

/** Drafts over the history's documents. */
export function createTemplateDrafts({ documents, vault, now }: TemplateDraftsParts): TemplateDrafts {
  const drafts = openCollection(documents, draftKind);
  /** In the order of the calls: sealing can take as long as a keychain, and an older draft must not come last. */
  const turns = new KeyedQueue();

  async function load(at: TemplateAt): Promise<Result<TemplateDraft | null>> {
    const stored = await drafts.read(at);
    if (stored === null) return ok(null);
    const { baseSeq, savedAtMs, sealedValues, sealedPaste } = stored;
    const pasted = sealedPaste === undefined ? ok(null) : await vault.open(sealedPaste, draftBelonging(at));
    if (!pasted.ok) return pasted;
    const lines = pasted.value === null ? null : parseDocument(z.array(z.string()), pasted.value);
    const draft = {
      baseSeq,
      savedAtMs,
      ...(lines === null ? {} : { pastedEnv: lines.join('\n') }),
      isPasteLost: sealedPaste !== undefined && lines === null,
    };
    if (sealedValues === null) return ok({ ...draft, edits: stored.edits, lostEnv: stored.unsealed ?? [] });
    const opened = await vault.open(sealedValues, draftBelonging(at));
    if (!opened.ok) return opened;
    return ok({ ...draft, ...filled(stored, opened.value) });
  }

  async function save(at: TemplateAt, { baseSeq, edits, pastedEnv = '' }: EnteredDraft): Promise<Result<null>> {
    const values = (edits.env ?? []).map(({ value }) => value);
    const isTyped = values.some((value) => value !== null && value !== '');
    const sealed = isTyped ? await vault.seal(JSON.stringify(values), draftBelonging(at)) : ok(null);
    const paste = pastedEnv === '' ? null : await vault.seal(JSON.stringify(pastedEnv.split('\n')), draftBelonging(at));
    const open: TemplateEdits =
      edits.env === undefined
        ? edits
        : { ...edits, env: edits.env.map((entry) => (entry.value === null ? entry : { ...entry, value: '' })) };
    const stored: StoredDraft = {
      baseSeq,
      savedAtMs: now(),
      edits: open,
      ...(sealed.ok ? { sealedValues: sealed.value } : { sealedValues: null, unsealed: namesOfTyped(edits) }),
      ...(paste?.ok === true ? { sealedPaste: paste.value } : {}),
    };
    await drafts.put(at, stored);
    if (!sealed.ok) return sealed;
    return paste?.ok === false ? paste : ok(null);
  }

  async function keepPaste(at: TemplateAt): Promise<void> {
    const { sealedPaste, baseSeq } = (await drafts.read(at)) ?? {};
    if (sealedPaste === undefined || baseSeq === undefined) return drafts.remove(at);
    await drafts.put(at, { baseSeq, savedAtMs: now(), edits: {}, sealedValues: null, sealedPaste });
  }

  return {
    load,
    save: (at, draft) => turns.run(documentId(at), () => save(at, draft)),
    drop: (at) => turns.run(documentId(at), () => drafts.remove(at)),
    applied: (at) => turns.run(documentId(at), () => keepPaste(at)),
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
