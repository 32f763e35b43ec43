import { createMemoryDocuments } from '../../../../src-main/sandbox/documents.ts';
import { createManagement } from '../../../../src-main/sandbox/management/management.ts';
import type { Management, ManagementRequest } from '../../../../src-main/sandbox/management/management.ts';
import type { ManagedEndpoint } from '../../../../src-main/sandbox/management/pod-catalogue.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import type { Documents } from '../../../../src-main/sandbox/documents.ts';
import type { WorkerInfo } from '../../../../src-main/sandbox/workers/one-worker.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';
import type { VirtualClock } from '../../../kit/sandbox.ts';

export const START_MS = Date.UTC(2026, 9, 4, 11, 9, 24, 633);

/** An endpoint whose workers the test defines. */
export interface ScriptedEndpoint extends ManagedEndpoint {
  live: WorkerInfo[];
  releases: number;
}

export function scriptedEndpoint(id: string, live: WorkerInfo[] = []): ScriptedEndpoint {
  const endpoint: ScriptedEndpoint = {
    id,
    live,
    releases: 0,
    workers: () => endpoint.live,
    version: () => 1 + endpoint.releases,
    release: () => {
      endpoint.releases += 1;
    },
    maxWorkers: () => 3,
  };
  return endpoint;
}

export interface Answer {
  status: number;
  /** A pod or template with every field of its JSON. `error` if refused. */
  body: Record<string, unknown>;
}

export interface Scene {
  clock: VirtualClock;
  documents: Documents;
  management: Management;
  /** Reads a pod. `query` as in the address. */
  pod(podId: string, query?: string): Promise<Answer>;
  /** Updates a template. A string is sent unchanged, anything else as JSON. */
  update(templateId: string, body: unknown, more?: Partial<ManagementRequest>): Promise<Answer>;
  send(request: Partial<ManagementRequest>): Promise<Answer | null>;
  /** A pod of the catalogue by the beginning of its name. */
  named(name: string, query?: string): Promise<Record<string, unknown>>;
}

export interface SceneOptions {
  dialect?: Dialect;
  endpoints?: readonly ManagedEndpoint[];
  omitted?: 'reset' | 'keep';
  documents?: Documents;
  clock?: VirtualClock;
}

/** Management with its own clock and documents. */
export function openScene(options: SceneOptions = {}): Scene {
  const {
    dialect = 'spec',
    endpoints = [],
    omitted = 'reset',
    documents = createMemoryDocuments(),
    clock = createVirtualClock(START_MS),
  } = options;
  const management = createManagement({ clock, dialect, endpoints, omitted, documents, keepsTemplates: true });

  const send: Scene['send'] = async (request) => {
    const reply = await management.handle({
      method: 'GET',
      path: [],
      query: new URLSearchParams(),
      contentType: undefined,
      readBody: () => Promise.reject(new Error('No body was to be read.')),
      ...request,
    });
    return reply === null ? null : { status: reply.status, body: JSON.parse(reply.body) };
  };
  async function answered(request: Partial<ManagementRequest>): Promise<Answer> {
    const answer = await send(request);
    if (answer === null) throw new Error('Not answered.');
    return answer;
  }
  const pod: Scene['pod'] = (podId, query = '') =>
    answered({ path: ['pods', podId], query: new URLSearchParams(query) });
  const update: Scene['update'] = (templateId, body, more = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answered({
      method: 'POST',
      path: ['templates', templateId, 'update'],
      contentType: 'application/json',
      readBody: () => Promise.resolve({ kind: 'text', text }),
      ...more,
    });
  };

  return {
    clock,
    documents,
    management,
    pod,
    update,
    send,
    named: async (name, query = '') => {
      for (const podId of management.podIds) {
        const { body } = await pod(podId, query);
        if (String(body['name']).startsWith(name)) return body;
      }
      throw new Error(`No pod is named ${name}.`);
    },
  };
}
