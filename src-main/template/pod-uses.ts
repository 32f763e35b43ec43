import { z } from 'zod';
import type { PodReply } from '../../src-preload/pod.ts';
import type { TemplateUse } from '../../src-preload/template.ts';

const worker = z.object({ id: z.string().min(1), templateId: z.string().min(1), endpointId: z.string().min(1) });

/**
 * Which endpoints use which templates, as far as a pod tells (spec: Pod, endpointId and templateId): the pod itself,
 * and the workers that includeWorkers lists. By template id; of an endpoint the first worker only.
 */
export function usesIn(
  { pod, workersJson }: Pick<PodReply, 'pod' | 'workersJson'>,
  nowMs: number,
): Map<string, TemplateUse[]> {
  const uses = new Map<string, TemplateUse[]>();
  const candidates: unknown[] = [
    { id: pod.id, templateId: pod.templateId, endpointId: pod.endpointId ?? pod.aiApiId },
    ...listed(workersJson),
  ];
  for (const candidate of candidates) {
    const read = worker.safeParse(candidate);
    if (!read.success) continue;
    const { id: podId, templateId, endpointId } = read.data;
    const known = uses.get(templateId) ?? [];
    if (!known.some((use) => use.endpointId === endpointId))
      uses.set(templateId, [...known, { endpointId, podId, atMs: nowMs }]);
  }
  return uses;
}

function listed(json: string | null): unknown[] {
  try {
    const value: unknown = json === null ? [] : JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
