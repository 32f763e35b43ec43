import { memberTexts, parseJson, isJsonObject } from '../../../src-preload/json-spans.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import { writeDuration } from '../../../src-preload/duration-text.ts';
import { leftOutOfRequestText } from '../../messages/composer/paste.ts';
import { type ComposerDraft } from '../composer-draft.ts';
import { formatJson } from '../../../src-preload/format-json.ts';
import type { FoundRequest } from './found-request.ts';

type KnownConnection = Pick<Connection, 'id' | 'baseUrl' | 'endpoints'>;

/** The form as filled in from a request, with messages about it. */
export interface FilledDraft {
  draft: ComposerDraft;
  /** What was left out or could not be read, in sentences. Never contains a key. */
  notes: string[];
  keys: number;
}

/** A shorter key could be an ordinary word of the input. */
const minKeyChars = 8;

/**
 * Fills a draft from a request. The endpoint changes only to a known one. A key is never copied, even if the input
 * repeats it. Null: there is no input in it. Pure.
 */
export function fillDraft(
  draft: ComposerDraft,
  request: FoundRequest,
  connections: readonly KnownConnection[],
): FilledDraft | null {
  const notes = request.unread.map((note) => withoutKey(note, request.key));
  const hidden = { ...request, body: request.body === null ? null : withoutKey(request.body, request.key) };
  const body = bodyOf(hidden);
  if (body === null) return null;
  const { inputText, members } = body;
  if (hidden.body !== request.body) notes.push(leftOutOfRequestText.keyHidden);
  const value = parseJson(inputText);
  const target = targetOf(draft, request, connections);
  if (request.endpointId !== null && target === null)
    notes.push(leftOutOfRequestText.unknownEndpoint(withoutKey(request.endpointId, request.key)));
  const filled: ComposerDraft = {
    ...draft,
    ...target,
    ...(request.operation === null ? {} : { operation: request.operation }),
    inputText: inputText.includes('\n') ? inputText : formatJson(inputText),
    waitText: request.waitMs === null ? '' : writeDuration(request.waitMs),
    ...policyOf(members.get('policy'), notes),
    webhook: textIn(members.get('webhook')),
    s3ProfileId: '',
    presetId: '',
  };
  if (members.has('s3Config')) notes.push(leftOutOfRequestText.s3Config);
  const others = [...members.keys()].filter((name) => !['input', 'policy', 'webhook', 's3Config'].includes(name));
  if (others.length > 0) notes.push(leftOutOfRequestText.otherFields(others.join(', ').slice(0, 200)));
  return { draft: filled, notes, keys: isJsonObject(value) ? Object.keys(value).length : 0 };
}

/** The input and the other members of the body. The Python SDK adds the input level itself if it is missing. */
function bodyOf({ body, source }: FoundRequest): { inputText: string; members: Map<string, string> } | null {
  const value = body === null ? undefined : parseJson(body);
  if (body === null || !isJsonObject(value)) return null;
  const members = memberTexts(body);
  const inputText = members.get('input');
  if (inputText !== undefined) return { inputText, members };
  return source === 'sdk-python' ? { inputText: body, members: new Map() } : null;
}

function withoutKey(text: string, key: string | null): string {
  return key === null || key.length < minKeyChars ? text : text.replaceAll(key, '[key]');
}

/** The endpoint with that id: of the service in the address, or else of the current connection, or else of any. */
function targetOf(
  { connectionId }: ComposerDraft,
  { endpointId, url }: FoundRequest,
  connections: readonly KnownConnection[],
): Pick<ComposerDraft, 'connectionId' | 'endpointId'> | null {
  if (endpointId === null) return null;
  const having = connections.filter(({ endpoints }) => endpoints.some(({ id }) => id === endpointId));
  const origin = url === null ? null : URL.parse(url)?.origin;
  const there = having.filter(({ baseUrl }) => URL.parse(baseUrl)?.origin === origin);
  const best =
    there.find(({ id }) => id === connectionId) ??
    there[0] ??
    having.find(({ id }) => id === connectionId) ??
    having[0];
  return best === undefined ? null : { connectionId: best.id, endpointId };
}

type PolicyTexts = Pick<ComposerDraft, 'executionTimeoutText' | 'ttlText' | 'isLowPriority'>;

function policyOf(text: string | undefined, notes: string[]): PolicyTexts {
  const value = text === undefined ? undefined : parseJson(text);
  const policy = isJsonObject(value) ? value : {};
  const duration = (name: string): string => {
    const ms = policy[name];
    if (typeof ms === 'number' && Number.isFinite(ms) && ms > 0) return writeDuration(ms);
    if (ms !== undefined) notes.push(leftOutOfRequestText.notMilliseconds(name));
    return '';
  };
  return {
    executionTimeoutText: duration('executionTimeout'),
    ttlText: duration('ttl'),
    isLowPriority: policy['lowPriority'] === true,
  };
}

function textIn(json: string | undefined): string {
  const value = json === undefined ? undefined : parseJson(json);
  return typeof value === 'string' ? value : '';
}
