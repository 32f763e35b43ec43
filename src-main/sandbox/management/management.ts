import { isObject, type Checked } from '../checked.ts';
import type { Clock } from '../clock.ts';
import { createMemoryDocuments, readObject, type Documents } from '../documents.ts';
import { errorReply, okReply, type Reply } from '../http/reply.ts';
import { jsonProblem, readJsonText, type BodyRead } from '../http/request-body.ts';
import { MANAGEMENT_METHODS, readManagementPath } from '../http/request-target.ts';
import type { Dialect } from '../specification.ts';
import { cataloguePods, createWorkerPods, type ManagedEndpoint } from './pod-catalogue.ts';
import { checkIncludes, viewPod } from './pod-view.ts';
import { endpointTemplate, endpointTemplateId, POD_TEMPLATES } from './template-catalogue.ts';
import { createTemplateStore, checkTemplateUpdate, type OmittedSettings, type Template } from './template.ts';

/** A request to the management interface with a valid Bearer key. */
export interface ManagementRequest {
  method: string;
  /** The decoded segments after /v1. */
  path: readonly string[];
  query: URLSearchParams;
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
}

export interface Management {
  /** The catalogue's pods, the one with the most content first. Workers are added and removed. */
  podIds: string[];
  /** The endpoints' templates in the order of the endpoints, then those of pods. */
  templateIds: string[];
  /** Null: the client left before its body was complete. */
  handle(request: ManagementRequest): Promise<Reply | null> | Reply | null;
}

export interface ManagementOptions {
  clock: Clock;
  dialect: Dialect;
  endpoints: readonly ManagedEndpoint[];
  omitted: OmittedSettings;
  documents: Documents;
  /** False: changes of templates, whose variables may be secrets, last until the sandbox stops. */
  keepsTemplates: boolean;
}

/** The specification has no limit. No readme needs more. */
export const UPDATE_BODY_MAX_BYTES = 2 ** 20;

const PODS_DOCUMENT = 'pods';

/** When the catalogue's pods were created: at the first start, even after restarts. */
function restoreStart(documents: Documents, nowMs: number): number {
  const kept = readObject(documents, PODS_DOCUMENT)?.['startedAtMs'];
  if (typeof kept === 'number' && kept >= 0 && kept <= nowMs) return kept;
  const startedAtMs = Math.floor(nowMs);
  documents.write(PODS_DOCUMENT, JSON.stringify({ startedAtMs }));
  return startedAtMs;
}

/** The JSON object of an update. Null if the client left. */
async function readUpdateBody(request: ManagementRequest): Promise<Checked<Record<string, unknown>> | null> {
  const text = await readJsonText(request, UPDATE_BODY_MAX_BYTES);
  if (text === null || !text.ok) return text;
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch (error) {
    return { ok: false, message: `The body is not valid JSON: ${jsonProblem(error)}.` };
  }
  return isObject(value) ? { ok: true, value } : { ok: false, message: 'The body must be a JSON object.' };
}

/**
 * The management interface (spec: Management operations): reads pods of a catalogue and the endpoints' workers, and
 * changes templates, which releases the endpoints made from them. Changes are saved in `documents`; one that cannot be
 * read counts as missing.
 */
export function createManagement(options: ManagementOptions): Management {
  const { clock, dialect, endpoints, omitted, documents, keepsTemplates } = options;
  const pods = new Map(cataloguePods(restoreStart(documents, clock.now())).map((pod) => [pod.id, pod]));
  const catalogue = [...endpoints.map(({ id }) => endpointTemplate(id)), ...POD_TEMPLATES];
  const templates = createTemplateStore({
    catalogue,
    omitted,
    documents: keepsTemplates ? documents : createMemoryDocuments(),
  });
  const workerPods = createWorkerPods({
    endpoints,
    templateOf: (endpointId) => templates.find(endpointTemplateId(endpointId)) ?? endpointTemplate(endpointId),
  });

  function getPod(podId: string, query: URLSearchParams): Reply {
    const pod = pods.get(podId) ?? workerPods.find(podId);
    if (pod === undefined) return errorReply(404, 'There is no pod with this id.');
    const includes = checkIncludes(query);
    if (!includes.ok) return errorReply(400, includes.message);
    const view = viewPod(pod, {
      includes: includes.value,
      dialect,
      nowMs: clock.now(),
      findTemplate: templates.find,
      workers: workerPods.all,
    });
    return okReply(JSON.stringify(view));
  }

  /** Spec: Update a template, Effect; ruling 31. */
  function releaseEndpointsOf(former: Template): void {
    for (const endpoint of endpoints) {
      if (endpointTemplateId(endpoint.id) !== former.id) continue;
      workerPods.keepFormer(endpoint, former);
      endpoint.release();
    }
  }

  async function updateTemplate(templateId: string, request: ManagementRequest): Promise<Reply | null> {
    const template = templates.find(templateId);
    if (template === undefined) return errorReply(404, 'There is no template with this id.');
    const body = await readUpdateBody(request);
    if (body === null) return null;
    if (!body.ok) return errorReply(400, body.message);
    const update = checkTemplateUpdate(body.value);
    if (!update.ok) return errorReply(400, update.message);

    const change = templates.update(template, update.value);
    if (!change.ok) return errorReply(400, change.message);
    releaseEndpointsOf(change.value.former);
    return okReply(JSON.stringify(change.value.updated));
  }

  return {
    podIds: [...pods.keys()],
    templateIds: templates.ids(),
    handle: (request) => {
      const target = readManagementPath(request.path);
      if (target === null) return errorReply(404, 'The management interface serves nothing at this path.');
      const { operation, id } = target;
      const method = MANAGEMENT_METHODS[operation];
      if (request.method !== method) return errorReply(400, `${operation} is called with ${method}.`);
      return operation === 'get-pod' ? getPod(id, request.query) : updateTemplate(id, request);
    },
  };
}
