import type { Fault } from '../../kit/fault-service.ts';
import type { Reply } from './scripted-service.ts';

export type Answer = Reply | Fault;

/** An error in the service's own words. */
export const error = (status: number): Reply => ({ status, body: { error: 'Not now.' } });

/** A page of a proxy. */
const page = (status: number): Fault => ({
  kind: 'reply',
  status,
  body: '<html><title>Gateway</title></html>',
  contentType: 'text/html',
});

/** Ordinary bad answers that say nothing about the job. */
export const passing: readonly (readonly [string, Answer])[] = [
  ...[400, 401, 403, 404, 408, 409, 410, 425, 500, 502, 503].map((status) => [String(status), error(status)] as const),
  ...[401, 403, 404, 502].map((status) => [`${status} HTML`, page(status)] as const),
  ['200 HTML', page(200)],
  ['302', { kind: 'redirect', status: 302, to: '/login' }],
  ['303', { kind: 'redirect', status: 303, to: '/login' }],
  ['empty', { kind: 'reply', status: 200, body: '' }],
  ['another job', { body: { id: 'job-2', status: 'COMPLETED', output: 'of another' } }],
  ['cut', { kind: 'truncated', body: '{"id":"job-1","status":"COMPLETED","output":"ke' }],
  ['reset', { kind: 'reset' }],
];
