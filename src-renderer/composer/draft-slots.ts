import { isSameEndpoint } from '../../src-preload/endpoint-key.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { readSavedDraft, type ComposerDraft } from './composer-draft.ts';
import { isJsonObject, parseJson } from '../../src-preload/json-spans.ts';

/** The destination of a job. */
export type Target = Pick<ComposerDraft, 'connectionId' | 'endpointId'>;

/**
 * Each draft is saved for what it is for: a new job of an endpoint, or an edited job. So none replaces another, and
 * closing the sheet, quitting or a power failure loses nothing. A slot is the name under which a draft is saved.
 */
const slotOf = (...parts: string[]): string => ['composer', ...parts].join(' ');
const editOf = slotOf('of', '');
const targetsSlot = slotOf('targets');
/** The slot of earlier versions for new jobs of any endpoint. */
const formerSlot = slotOf();
const saveAfterMs = 300;
const maxTargets = 100;

/** The slot for the edited input of a job. */
export function slotOfJob(jobKey: string): string {
  return `${editOf}${jobKey}`;
}

/** The slot for new jobs of an endpoint. */
export function slotOfTarget({ connectionId, endpointId }: Target): string {
  return slotOf('for', connectionId, endpointId);
}

/** The job whose input is edited in a slot. */
export function originOf(slot: string): { originKey?: string } {
  return slot.startsWith(editOf) ? { originKey: slot.slice(editOf.length) } : {};
}

/** The drafts since the window opened, by slot, even if the disk refused to save them. */
const typed = new Map<string, ComposerDraft>();
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** The destinations of new jobs, the latest first. Null until they are read. */
let targets: Target[] | null = null;

/**
 * Saves a draft after a moment, even if another one is saved in the meantime. `onSaved` is called when it is on disk.
 */
export function saveSoon(slot: string, draft: ComposerDraft, onSaved?: () => void): void {
  typed.set(slot, draft);
  clearTimeout(waiting.get(slot));
  waiting.set(
    slot,
    setTimeout(() => saveNow(slot, draft, onSaved), saveAfterMs),
  );
}

/** Saves a draft immediately. Null deletes it. */
export function saveNow(slot: string, draft: ComposerDraft | null, onSaved?: () => void): void {
  clearTimeout(waiting.get(slot));
  waiting.delete(slot);
  if (draft === null) typed.delete(slot);
  else typed.set(slot, draft);
  void call('draft:save', { slot, text: draft === null ? '' : JSON.stringify(draft) }).then((kept) => {
    if (orReport(kept).ok) onSaved?.();
  });
}

/** Saves now what waits to be saved. */
export function saveWaiting(): void {
  for (const slot of waiting.keys()) saveNow(slot, typed.get(slot) ?? null);
}

/** The latest draft of a slot since the window opened. */
export function typedIn(slot: string): ComposerDraft | undefined {
  return typed.get(slot);
}

/** The draft of a slot, or null. */
export async function loadDraft(slot: string): Promise<ComposerDraft | null> {
  return typed.get(slot) ?? readSavedDraft(await loadText(slot));
}

/**
 * The destinations of new jobs, the latest first. The draft of an earlier version is moved to the slot of its endpoint.
 */
export async function loadTargets(): Promise<readonly Target[]> {
  if (targets !== null) return targets;
  const [kept, formerText] = await Promise.all([loadText(targetsSlot), loadText(formerSlot)]);
  const former = readSavedDraft(formerText);
  targets ??= readTargets(kept);
  // If its endpoint already has a draft, both stay where they are.
  if (former !== null && (await loadDraft(slotOfTarget(former))) === null) {
    saveNow(slotOfTarget(former), former);
    saveNow(formerSlot, null);
    noteTarget(former);
  }
  return targets;
}

/** Notes the destination of the latest new job. */
export function noteTarget({ connectionId, endpointId }: Target): void {
  const before = targets ?? [];
  const [first] = before;
  const target = { connectionId, endpointId };
  if (first !== undefined && isSameEndpoint(first, target)) return;
  targets = [target, ...before.filter((each) => !isSameEndpoint(each, target))].slice(0, maxTargets);
  saveTargets(targets);
}

function saveTargets(all: readonly Target[]): void {
  void call('draft:save', { slot: targetsSlot, text: JSON.stringify({ targets: all }) }).then(orReport);
}

async function loadText(slot: string): Promise<string> {
  const kept = orReport(await call('draft:load', { slot }));
  return kept.ok ? (kept.value?.text ?? '') : '';
}

function readTargets(text: string): Target[] {
  const kept = parseJson(text);
  const all = isJsonObject(kept) && Array.isArray(kept['targets']) ? kept['targets'] : [];
  return all.flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { connectionId, endpointId } = each;
    return typeof connectionId === 'string' && typeof endpointId === 'string' ? [{ connectionId, endpointId }] : [];
  });
}
