import type { PodInclude, PodReply, PodStatus } from './pod.ts';

/** Stands where the value of a variable stood: no value leaves main but one at a time, when asked for by name. */
export const hiddenValue = '••••••••';

/** A pod as it was read once. Every env value in it, at any depth, is `hiddenValue`. */
export interface PodReading {
  /** When the reply came. Epoch milliseconds. */
  readAtMs: number;
  tookMs: number;
  httpStatus: number;
  bytesReceived: number;
  /** The flags it was asked with (spec: Get a pod). */
  include: PodInclude[];
  /** Path and query as sent. */
  path: string;
  reply: PodReply;
}

/** One value that changed since the reading before. */
export interface PodChange {
  /** Dotted: `publicIp`, `machine.gpuAvailable`, `env.HF_TOKEN`. */
  field: string;
  kind: 'added' | 'removed' | 'changed';
  /** JSON texts; null where there was or is none, and for env, whose values are not shown. */
  from: string | null;
  to: string | null;
}

/** How a reading differs from the one before it. */
export interface PodChanges {
  /** When the reading before came. Epoch milliseconds. */
  sinceMs: number;
  /** In the order of the reply; empty when nothing changed. */
  changes: PodChange[];
}

/** What a pod's window opens with: what is known of it on this computer. */
export interface KnownPod {
  connectionId: string;
  podId: string;
  isPinned: boolean;
  /** Null until it was read once. */
  look: PodReading | null;
  /** Null after the first reading. */
  changes: PodChanges | null;
  /** Whether its env values can be revealed: they are held in this session, or sealed and can be opened. */
  hasValues: boolean;
}

/** A pod in the lists: read before, newest first. */
export interface RememberedPod {
  connectionId: string;
  podId: string;
  name: string | null;
  desiredStatus: PodStatus | null;
  /** What it runs on, in a few words: `2 × A100 SXM`, `cpu3c`. */
  hardware: string | null;
  adjustedCostPerHr: number | null;
  isPinned: boolean;
  openedAtMs: number;
  readAtMs: number;
}

/** spec: Limits, pod name length; no id seen is longer. */
const longestPodId = 191;

/** Why a text is no pod id, in one sentence; null when it may be one. Blanks around it are not counted. */
export function podIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '') return "Enter a pod's id.";
  if (/\s/.test(id)) return 'A pod id has no spaces.';
  if (/[/\\?#]/.test(id)) return 'A pod id has no / \\ ? #. Enter the id alone, not an address.';
  // A URL takes dots for a way up.
  if (id === '.' || id === '..') return `"${id}" is not a pod id.`;
  if (id.length > longestPodId) return `A pod id has at most ${longestPodId} characters; this has ${id.length}.`;
  return /[\p{Cc}\p{Cs}]/u.test(id) ? 'A pod id has no control characters.' : null;
}

/** `2 × A100 SXM`, or the CPU flavor of a pod without GPUs; null where neither is known. */
export function hardwareOf({ gpu, cpuFlavorId }: Pick<PodReply['pod'], 'gpu' | 'cpuFlavorId'>): string | null {
  const name = gpu?.displayName ?? gpu?.id ?? null;
  if (name === null) return cpuFlavorId ?? null;
  return gpu?.count == null ? name : `${gpu.count} × ${name}`;
}
