import { podIdText } from './messages/refusals.ts';
import type { PodInclude, PodReply, PodStatus } from './pod.ts';

/** Replaces the values of variables. A value leaves main only one at a time, when it is requested by name. */
export const hiddenValue = '••••••••';

/** One reading of a pod. Every env value in it, at any depth, is `hiddenValue`. */
export interface PodReading {
  /** When the reply came. Epoch milliseconds. */
  readAtMs: number;
  tookMs: number;
  httpStatus: number;
  bytesReceived: number;
  /** The flags it was requested with (spec: Get a pod). */
  include: PodInclude[];
  /** Path and query as sent. */
  path: string;
  reply: PodReply;
}

/** One value that changed since the reading before. */
export interface PodChange {
  /** A dotted path: `publicIp`, `machine.gpuAvailable`, `env.HF_TOKEN`. */
  field: string;
  kind: 'added' | 'removed' | 'changed';
  /** JSON texts. Null if there was or is none, and for env, whose values are not shown. */
  from: string | null;
  to: string | null;
}

/** The difference between a reading and the one before. */
export interface PodChanges {
  /** When the reading before came. Epoch milliseconds. */
  sinceMs: number;
  /** In the order of the reply. Empty if nothing changed. */
  changes: PodChange[];
}

/** What is known of a pod on this computer, with which its window opens. */
export interface KnownPod {
  connectionId: string;
  podId: string;
  isPinned: boolean;
  /** Null until it was read once. */
  reading: PodReading | null;
  /** Null after the first reading. */
  changes: PodChanges | null;
  /** Whether its env values can be revealed: they are in memory, or sealed and can be opened. */
  hasValues: boolean;
}

/** A pod in the lists: read before, newest first. */
export interface RememberedPod {
  connectionId: string;
  podId: string;
  name: string | null;
  desiredStatus: PodStatus | null;
  /** Its hardware in a few words: `2 × A100 SXM`, `cpu3c`. */
  hardware: string | null;
  adjustedCostPerHr: number | null;
  isPinned: boolean;
  openedAtMs: number;
  readAtMs: number;
}

/** spec: Limits, pod name length. No id seen so far is longer. */
const maxPodIdChars = 191;

/** Why a text is not a pod id, in one sentence. Null if it may be one. Blanks around it are ignored. */
export function podIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '') return podIdText.missing;
  if (/\s/.test(id)) return podIdText.space;
  if (/[/\\?#]/.test(id)) return podIdText.address;
  // URLs treat dots as a path to the parent.
  if (id === '.' || id === '..') return podIdText.dots(id);
  if (id.length > maxPodIdChars) return podIdText.tooLong(maxPodIdChars, id.length);
  return /[\p{Cc}\p{Cs}]/u.test(id) ? podIdText.controlCharacter : null;
}

/** `2 × A100 SXM`, or the CPU flavor of a pod without GPUs. Null if neither is known. */
export function hardwareOf({ gpu, cpuFlavorId }: Pick<PodReply['pod'], 'gpu' | 'cpuFlavorId'>): string | null {
  const name = gpu?.displayName ?? gpu?.id ?? null;
  if (name === null) return cpuFlavorId ?? null;
  return gpu?.count == null ? name : `${gpu.count} × ${name}`;
}
