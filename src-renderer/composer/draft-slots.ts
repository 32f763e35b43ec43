import { call } from '../bridge.ts';
import { orSay } from '../call-or-say.ts';
import { readKeptDraft, type ComposerDraft } from './composer-draft.ts';
import { isJsonObject } from '../../src-preload/json-object.ts';
import { parseJson } from '../../src-preload/json-spans.ts';

/** Where a job goes. */
export type Target = Pick<ComposerDraft, 'connectionId' | 'endpointId'>;

/**
 * Drafts are kept by what they are for, a new job of an endpoint or a job to resubmit with edits, so that none replaces
 * another: closing the sheet, the app or the power loses nothing. A slot is the name under which one is kept.
 */
const editOf = 'composer of ';
const targetsSlot = 'composer targets';
/** What earlier versions kept new jobs in, whatever their endpoint. */
const formerSlot = 'composer';
const keepAfterMs = 300;
const mostTargets = 100;

/** Where the edited input of a job is kept. */
export function slotOfJob(jobKey: string): string {
  return `${editOf}${jobKey}`;
}

/** Where the draft for an endpoint is kept. */
export function slotOfTarget({ connectionId, endpointId }: Target): string {
  return `composer for ${connectionId} ${endpointId}`;
}

/** The job whose input is edited in a slot. */
export function originOf(slot: string): { originKey?: string } {
  return slot.startsWith(editOf) ? { originKey: slot.slice(editOf.length) } : {};
}

/** Whether both are one endpoint of one connection. */
export function isSameTarget(one: Target, other: Target): boolean {
  return one.connectionId === other.connectionId && one.endpointId === other.endpointId;
}

/** What was typed since the window opened, by slot: also there where the disk could not keep it. */
const typed = new Map<string, ComposerDraft>();
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
/** Where new jobs went, the newest first; null until it was read. */
let targets: Target[] | null = null;

/** Keeps a draft in a moment: also when another one is kept meanwhile. `onKept` is told once it is on disk. */
export function keepSoon(slot: string, draft: ComposerDraft, onKept?: () => void): void {
  typed.set(slot, draft);
  clearTimeout(waiting.get(slot));
  waiting.set(
    slot,
    setTimeout(() => keepNow(slot, draft, onKept), keepAfterMs),
  );
}

/** Keeps a draft at once; null: there is none any more. */
export function keepNow(slot: string, draft: ComposerDraft | null, onKept?: () => void): void {
  clearTimeout(waiting.get(slot));
  waiting.delete(slot);
  if (draft === null) typed.delete(slot);
  else typed.set(slot, draft);
  void call('draft:keep', { slot, text: draft === null ? '' : JSON.stringify(draft) }).then((kept) => {
    if (orSay(kept).ok) onKept?.();
  });
}

/** What was typed in a slot since the window opened. */
export function typedIn(slot: string): ComposerDraft | undefined {
  return typed.get(slot);
}

/** The draft of a slot, or null. */
export async function loadDraft(slot: string): Promise<ComposerDraft | null> {
  return typed.get(slot) ?? readKeptDraft(await loadText(slot));
}

/** Where new jobs went, the newest first. The draft of an earlier version is moved to the slot of its endpoint. */
export async function loadTargets(): Promise<readonly Target[]> {
  if (targets !== null) return targets;
  const [kept, formerText] = await Promise.all([loadText(targetsSlot), loadText(formerSlot)]);
  const former = readKeptDraft(formerText);
  targets ??= readTargets(kept);
  // Where its endpoint has a draft already, both stay where they are.
  if (former !== null && (await loadDraft(slotOfTarget(former))) === null) {
    keepNow(slotOfTarget(former), former);
    keepNow(formerSlot, null);
    noteTarget(former);
  }
  return targets;
}

/** Notes where the newest new job goes. */
export function noteTarget({ connectionId, endpointId }: Target): void {
  const before = targets ?? [];
  const [first] = before;
  const target = { connectionId, endpointId };
  if (first !== undefined && isSameTarget(first, target)) return;
  targets = [target, ...before.filter((each) => !isSameTarget(each, target))].slice(0, mostTargets);
  keepTargets(targets);
}

function keepTargets(all: readonly Target[]): void {
  void call('draft:keep', { slot: targetsSlot, text: JSON.stringify({ targets: all }) }).then(orSay);
}

async function loadText(slot: string): Promise<string> {
  const kept = orSay(await call('draft:load', { slot }));
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
