import { unreadText } from '../../messages/composer/paste.ts';
import { emptyRequest, keyIn, keyOfHeaders, withAddress, type FoundRequest } from './found-request.ts';
import { jsonOf, memberOf, ScriptReader, type ScriptArgument, type ScriptValue } from './script-values.ts';

/** Reads a call of fetch. Null if there is none. Pure. */
export function readFetch(text: string): FoundRequest | null {
  const [address, options] = new ScriptReader(text).argumentsOf(/\bfetch\s*\(/) ?? [];
  if (address === undefined) return null;
  const method = memberOf(options?.value, 'method');
  return withBody(
    withUrl(
      {
        ...emptyRequest('fetch'),
        method: method?.kind === 'text' ? method.text.toUpperCase() : 'GET',
        key: keyOfHeaders(headersOf(memberOf(options?.value, 'headers'))),
      },
      address.value,
    ),
    memberOf(options?.value, 'body'),
    'text',
  );
}

/** Reads a call of runpod-sdk for JavaScript. Null if there is none. Pure. */
export function readSdkJs(text: string): FoundRequest | null {
  if (!/runpod-?sdk/i.test(text)) return null;
  const reader = new ScriptReader(text);
  const sync = reader.argumentsOf(/\.\s*runSync\s*\(/);
  const call = sync ?? reader.argumentsOf(/\.\s*run\s*\(/);
  if (call === null) return null;
  const made = reader.argumentsOf(/(?<!function\s)\brunpodSdk\s*\(/i);
  const request = withBody(
    {
      ...emptyRequest('sdk-js'),
      url: plainText(memberOf(made?.[1]?.value, 'baseUrl')),
      endpointId: plainText(reader.argumentsOf(/\.\s*endpoint\s*\(/)?.[0]?.value),
      operation: sync === null ? 'run' : 'runsync',
      waitMs: sync === null ? null : plainNumber(call[1]?.value),
      key: keyOfText(made?.[0]?.value),
    },
    call[0]?.value,
    'object',
  );
  return request;
}

/** Reads a call of the runpod package for Python. Null if there is none. Pure. */
export function readSdkPython(text: string): FoundRequest | null {
  if (!/\brunpod\s*\.\s*Endpoint\b|\bimport\s+runpod\b/.test(text)) return null;
  const reader = new ScriptReader(text);
  const sync = reader.argumentsOf(/\.\s*run_sync\s*\(/);
  const call = sync ?? reader.argumentsOf(/\.\s*run\s*\(/);
  if (call === null) return null;
  const seconds = plainNumber(named(call, 'timeout', 1));
  const request = withBody(
    {
      ...emptyRequest('sdk-python'),
      url: plainText(reader.assignedTo(/\bendpoint_url_base\s*=(?!=)/) ?? undefined),
      endpointId: plainText(reader.argumentsOf(/\bEndpoint\s*\(/)?.[0]?.value),
      operation: sync === null ? 'run' : 'runsync',
      waitMs: sync === null || seconds === null ? null : seconds * 1_000,
      key: keyOfText(reader.assignedTo(/\bapi_key\s*=(?!=)/) ?? undefined),
    },
    named(call, 'request_input', 0),
    'object',
  );
  return request;
}

/** Reads `requests.post` of Python, or httpx. Null if there is neither. Pure. */
export function readPythonRequests(text: string): FoundRequest | null {
  const call = new ScriptReader(text).argumentsOf(/\b(?:requests|httpx|session|client)\s*\.\s*post\s*\(/);
  if (call === null) return null;
  const address = named(call, 'url', 0);
  const json = named(call, 'json', 2);
  const request = withUrl(
    {
      ...emptyRequest('requests'),
      method: 'POST',
      key: keyOfHeaders(headersOf(named(call, 'headers', 3))),
    },
    address,
  );
  return json === undefined
    ? withBody(request, named(call, 'data', 1) ?? named(call, 'content', 1), 'text')
    : withBody(request, json, 'object');
}

function named(call: readonly ScriptArgument[], name: string, place: number): ScriptValue | undefined {
  const byName = call.find((argument) => argument.name === name)?.value;
  const byPlace = call[place];
  return byName ?? (byPlace?.name === null ? byPlace.value : undefined);
}

function withUrl(request: FoundRequest, address: ScriptValue | undefined): FoundRequest {
  return address?.kind === 'text' && address.text !== ''
    ? withAddress(request, address.text)
    : {
        ...request,
        unread: [...request.unread, unreadText.addressAtRunTime],
      };
}

/** `written`: whether the body is an object or the text of one. */
function withBody(request: FoundRequest, value: ScriptValue | undefined, written: 'text' | 'object'): FoundRequest {
  if (value === undefined) return request;
  if (value.kind === 'unknown')
    return {
      ...request,
      unread: [...request.unread, unreadText.bodyAtRunTime],
    };
  const read =
    value.kind === 'text' && written === 'text' ? { json: value.text, isWhole: value.isWhole } : jsonOf(value);
  return {
    ...request,
    body: read.json,
    unread: read.isWhole ? request.unread : [...request.unread, unreadText.partOfBody],
  };
}

function headersOf(value: ScriptValue | undefined): [string, string][] {
  if (value?.kind !== 'object') return [];
  // A text that is only composed at run time contains no key itself.
  return value.members.map(([name, member]) => [name, member.kind === 'text' && member.isWhole ? member.text : '']);
}

function keyOfText(value: ScriptValue | undefined): string | null {
  return value?.kind === 'text' && value.isWhole ? keyIn(value.text) : null;
}

function plainText(value: ScriptValue | undefined): string | null {
  return value?.kind === 'text' && value.isWhole && value.text !== '' ? value.text : null;
}

function plainNumber(value: ScriptValue | undefined): number | null {
  const number = value?.kind === 'plain' ? Number(value.json) : Number.NaN;
  return Number.isFinite(number) && number > 0 ? number : null;
}
