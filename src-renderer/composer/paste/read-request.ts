import { emptyRequest, keyOfHeaders, withAddress, type FoundRequest } from './found-request.ts';
import { readCurl } from './read-curl.ts';
import { readPowerShell } from './read-powershell.ts';
import { readFetch, readPythonRequests, readSdkJs, readSdkPython } from './read-script.ts';

/** A longer text is no snippet, and reading it would cause a delay. */
const longest = 20_000_000;

/**
 * The request in a text: a curl command, PowerShell, fetch, runpod-sdk, requests or plain HTTP. Null for any other
 * text. Nothing in it is executed. Pure.
 */
export function readRequest(text: string): FoundRequest | null {
  if (text.length > longest) return null;
  // An input begins like this and a request never does, so the usual case costs nothing.
  if (/^\s*[{["]/.test(text)) return null;
  return (
    readHttp(text) ??
    readSdkPython(text) ??
    readSdkJs(text) ??
    readPowerShell(text) ??
    readCurl(text) ??
    readFetch(text) ??
    readPythonRequests(text)
  );
}

function readHttp(text: string): FoundRequest | null {
  const first = /^\s*(GET|POST|PUT|PATCH|DELETE)[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*\r?\n/.exec(text);
  if (first === null) return null;
  const [line, method = '', target = ''] = first;
  const rest = text.slice(line.length);
  const gap = /\r?\n[ \t]*\r?\n/.exec(rest);
  const headers = rest
    .slice(0, gap?.index ?? rest.length)
    .split(/\r?\n/)
    .map((header): [string, string] => {
      const colon = header.indexOf(':');
      return colon === -1 ? [header, ''] : [header.slice(0, colon), header.slice(colon + 1)];
    });
  const host = headers.find(([name]) => name.trim().toLowerCase() === 'host')?.[1].trim();
  const body = gap === null ? '' : rest.slice(gap.index + gap[0].length).trim();
  return withAddress(
    { ...emptyRequest('http'), method, key: keyOfHeaders(headers), body: body === '' ? null : body },
    target.startsWith('/') ? `https://${host ?? 'unknown.invalid'}${target}` : target,
  );
}
