import { request, type OutgoingHttpHeaders } from 'node:http';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON. Undefined if it is not. */
  body: unknown;
}

export interface JobAnswer {
  id: string;
  status: string;
  output?: unknown;
  error?: string;
  delayTime?: number;
  executionTime?: number;
  workerId?: string;
}

export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** `body`: a string is sent unchanged, anything else as JSON. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Submits with run and returns the job's id. */
  run(endpointId: string, input: Record<string, unknown>, more?: Record<string, unknown>): Promise<string>;
  /** Submits with runsync and returns the record. */
  runsync(endpointId: string, input: Record<string, unknown>, more?: Record<string, unknown>): Promise<JobAnswer>;
  status(endpointId: string, jobId: string): Promise<JobAnswer>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls a sandbox over HTTP with its key, under `/v2`. */
export function createCaller({ baseUrl, apiKey }: Pick<Sandbox, 'baseUrl' | 'apiKey'>): Caller {
  async function call(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const response = await fetch(`${baseUrl}/v2/${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
  const get: Caller['get'] = (path, headers = {}) => call('GET', path, headers);
  const post: Caller['post'] = (path, body, headers = {}) => {
    if (body === undefined) return call('POST', path, headers);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return call('POST', path, { 'content-type': 'application/json', ...headers }, text);
  };
  async function job(answer: Promise<Answer>): Promise<JobAnswer> {
    const { status, text } = await answer;
    if (status !== 200) throw new Error(`Answered ${status}: ${text}`);
    const record: JobAnswer = JSON.parse(text);
    return record;
  }
  return {
    get,
    post,
    run: async (endpointId, input, more = {}) => (await job(post(`${endpointId}/run`, { input, ...more }))).id,
    runsync: (endpointId, input, more = {}) => job(post(`${endpointId}/runsync`, { input, ...more })),
    status: (endpointId, jobId) => job(get(`${endpointId}/status/${jobId}`)),
  };
}

export interface RawAnswer {
  status: number;
  text: string;
}

/**
 * A POST whose upload the test controls: `pieces` are written one by one. Unless `isLeftOpen`, the upload then ends.
 */
export function upload(
  url: string,
  headers: OutgoingHttpHeaders,
  pieces: Iterable<Buffer>,
  isLeftOpen = false,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
        outgoing.destroy();
      });
    });
    outgoing.on('error', reject);
    for (const piece of pieces) outgoing.write(piece);
    if (!isLeftOpen) outgoing.end();
  });
}
