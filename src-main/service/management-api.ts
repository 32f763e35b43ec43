import { failed } from '../../src-preload/failure.ts';
import { podIncludes } from '../../src-preload/pod.ts';
import { templateUpdate } from '../../src-preload/template-schema.ts';
import { addressOf } from './address.ts';
import { failureText, replyText } from '../messages/service/failures.ts';
import { addressText } from '../messages/service/requests.ts';
import { refuse, send, type HttpOptions } from './http.ts';
import { maxReplyBytes } from './reply-body.ts';
import { maskedFailure } from './mask-env.ts';
import type { ManagementApi, Reply, RequestOptions, ServiceTarget } from './reply.ts';
import { podFields, readPodFields, readTemplateFields, templateFields } from './resource-shapes.ts';
import type { Fields, Parsed } from './shapes.ts';

type ManagementOperation = 'get-pod' | 'update-template';

export interface ManagementApiOptions extends HttpOptions {
  /** Milliseconds. */
  timeouts?: Partial<Record<ManagementOperation, number>>;
  /** How many unpacked bytes of a reply are read. Default: `maxReplyBytes`. */
  replyLimitBytes?: number;
}

const defaultTimeouts: Record<ManagementOperation, number> = { 'get-pod': 30_000, 'update-template': 60_000 };

/**
 * The two management operations of one connection (spec: Management operations). Always Bearer, whatever the
 * connection's form (ruling 4).
 */
export function createManagementApi(target: ServiceTarget, options: ManagementApiOptions): ManagementApi {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };

  interface ApiRequest<T> {
    operation: ManagementOperation;
    method: 'GET' | 'POST';
    segments: string[];
    query?: Record<string, string>;
    body?: string;
    problem?: string | null;
    wanted: readonly string[];
    shape: (fields: Fields) => Parsed<T>;
  }

  async function callService<T>(apiRequest: ApiRequest<T>, request: RequestOptions = {}): Promise<Reply<T>> {
    const { operation, method } = apiRequest;
    const no = (why: string): Reply<T> =>
      refuse(
        { operation, method, path: `/${apiRequest.segments.join('/')}` },
        { kind: 'invalid', message: `${why} ${failureText.notSent(operation)}` },
        options.now(),
      );
    if (apiRequest.problem !== undefined && apiRequest.problem !== null) return no(apiRequest.problem);
    if (target.restUrl === null) return no(addressText.noRestUrl);
    const url = addressOf(target.restUrl, apiRequest.segments, apiRequest.query);
    if (!url.ok) return no(url.failure);
    const { result, exchange } = await send<T>(
      {
        operation,
        method,
        url: url.value,
        authorization: 'bearer',
        readKey: target.readKey,
        ...(apiRequest.body === undefined ? {} : { body: apiRequest.body }),
        secrets: request.secrets,
        timeoutMs: request.timeoutMs ?? timeouts[operation],
        replyLimitBytes: options.replyLimitBytes ?? maxReplyBytes,
        signal: request.signal,
        reply: {
          format: 'fields',
          wanted: apiRequest.wanted,
          // Only the key is removed, because a template is sent back unchanged.
          scope: 'outside-env',
          // Two pods are compared member by member at any depth. Only a malicious reply would be too deep for that.
          shape: (fields) => (fields.deep.size > 0 ? failed(replyText.tooDeep) : apiRequest.shape(fields)),
        },
      },
      options,
    );
    // Pods and templates contain variables, and what the service says about them may quote some.
    return { result: result.ok ? result : failed(maskedFailure(result.failure)), exchange };
  }

  return {
    getPod: (podId, include, request) =>
      callService(
        {
          operation: 'get-pod',
          method: 'GET',
          segments: ['v1', 'pods', podId],
          // The flags default to false, so only those that are on are sent, in the order of the table.
          query: Object.fromEntries(podIncludes.filter((flag) => include.includes(flag)).map((flag) => [flag, 'true'])),
          wanted: podFields,
          shape: (fields) => readPodFields(fields, podId),
        },
        request,
      ),
    updateTemplate: (templateId, update, request) => {
      const held = templateUpdate.safeParse(update);
      const issue = held.error?.issues[0];
      return callService(
        {
          operation: 'update-template',
          method: 'POST',
          segments: ['v1', 'templates', templateId, 'update'],
          body: JSON.stringify(held.success ? held.data : {}),
          problem:
            issue === undefined
              ? null
              : `${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}${issue.message}.`,
          wanted: templateFields,
          shape: (fields) => readTemplateFields(fields, templateId),
        },
        request,
      );
    },
  };
}
