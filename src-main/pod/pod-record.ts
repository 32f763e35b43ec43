import { z } from 'zod';
import { hardwareOf } from '../../src-preload/pod-look.ts';
import type { PodLook, RememberedPod } from '../../src-preload/pod-look.ts';
import { podIncludes } from '../../src-preload/pod.ts';
import type { DocumentKind } from '../history/collection.ts';
import { readPod } from '../service/resource-shapes.ts';

const change = z.object({
  field: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  from: z.string().nullable(),
  to: z.string().nullable(),
});

const podRecord = z.object({
  connectionId: z.string().min(1),
  podId: z.string().min(1),
  isPinned: z.boolean(),
  openedAtMs: z.number(),
  look: z.object({
    readAtMs: z.number(),
    tookMs: z.number(),
    httpStatus: z.number(),
    bytesReceived: z.number(),
    include: z.array(z.enum(podIncludes)),
    path: z.string(),
    /** The reply with every env value hidden: nothing secret lies in the database. */
    maskedJson: z.string(),
  }),
  changes: z.object({ sinceMs: z.number(), changes: z.array(change) }).nullable(),
  /** The reply as it came, sealed by the vault; null when it holds no env value or could not be sealed. */
  sealedJson: z.string().nullable(),
});

/** A pod that was read at least once, as it is kept. */
export type PodRecord = z.infer<typeof podRecord>;

/** How pods are kept. A pod's id never holds a slash. */
export const podKind: DocumentKind<PodRecord, Pick<PodRecord, 'connectionId' | 'podId'>> = {
  kind: 'pod',
  schema: podRecord,
  id: ({ connectionId, podId }) => `${connectionId}/${podId}`,
};

/** The look as windows see it; null for a kept reply that this build cannot read. */
export function lookOf({ podId, look }: Pick<PodRecord, 'podId' | 'look'>): PodLook | null {
  const { maskedJson, ...exchange } = look;
  const reply = readPod(maskedJson, podId);
  return reply.ok ? { ...exchange, reply: reply.value } : null;
}

/** One line of the lists. */
export function rememberedPod(record: PodRecord): RememberedPod {
  const { connectionId, podId, isPinned, openedAtMs, look } = record;
  const pod = lookOf(record)?.reply.pod;
  return {
    connectionId,
    podId,
    name: pod?.name ?? null,
    desiredStatus: pod?.desiredStatus ?? null,
    hardware: pod === undefined ? null : hardwareOf(pod),
    adjustedCostPerHr: pod?.adjustedCostPerHr ?? null,
    isPinned,
    openedAtMs,
    readAtMs: look.readAtMs,
  };
}
