import { unreadText } from '../../messages/composer/paste.ts';
import { emptyRequest, keyIn, withAddress, type FoundRequest } from './found-request.ts';
import { powerShellString } from './shell-words.ts';

/** Where a command may stand. A word inside an input is none: `{"prompt": "irm"}` in curl is not PowerShell. */
const command = /(?:^|[;|={(])[ \t]*(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\s/im;
/** The beginning of a text in another language, after comments and the prompt, whatever its input contains. */
const isOther = /^\s*(?:(?:#|\/\/)[^\n]*\n\s*)*(?:[$>]\s*)?(?:curl(?:\.exe)?|const|let|await|fetch|import|from)\b/i;

const beginsString = /^(?:@?['"\u2018\u2019])/;

/** Reads `Invoke-RestMethod` or `Invoke-WebRequest`. Null if there is neither. Pure. */
export function readPowerShell(text: string): FoundRequest | null {
  if (isOther.test(text) || !command.test(text)) return null;
  const unread: string[] = [];
  let request: FoundRequest = { ...emptyRequest('powershell'), key: keyOf(text) };
  const method = /-Method\s+['"]?([A-Za-z]+)/i.exec(text)?.[1];
  if (method !== undefined) request = { ...request, method: method.toUpperCase() };
  const address = valueOf(text, /-Uri\s+/i) ?? /\s['"]?(https?:\/\/[^\s'"]+)/i.exec(text)?.[1] ?? null;
  const body = valueOf(text, /-Body\s+/i);
  if (body === null && /-Body\b/i.test(text)) unread.push(unreadText.bodyOfScript);
  request = { ...request, body, unread };
  return address === null ? request : withAddress(request, address);
}

/** The string after an option, or that of the variable there, even in brackets. */
function valueOf(text: string, option: RegExp): string | null {
  const found = option.exec(text);
  if (found === null) return null;
  const from = found.index + found[0].length;
  if (beginsString.test(text.slice(from, from + 2))) return stringsAt(text, from);
  const name = /^\(*[^\n;|]*?\$(?!env:)(\w+)/i.exec(text.slice(from, from + 300))?.[1];
  if (name === undefined) return null;
  const assigned = new RegExp(String.raw`\$${name}\s*=\s*`, 'i').exec(text);
  if (assigned === null) return null;
  const at = assigned.index + assigned[0].length;
  return beginsString.test(text.slice(at, at + 2)) ? stringsAt(text, at) : null;
}

/** A string with those that are appended to it. Appended parts that are not strings are left out. */
function stringsAt(text: string, from: number): string {
  let all = '';
  let at = from;
  for (;;) {
    const read = powerShellString(text, at);
    all += read.text;
    const more = /^\s*\+\s*(?:\((?:[^()]|\([^()]*\))*\)(?:\.\w+\((?:'[^']*'|"[^"]*")?\))?\s*\+\s*)?(?=['"@])/.exec(
      text.slice(read.end, read.end + 500),
    );
    if (more === null) return all;
    at = read.end + more[0].length;
  }
}

function keyOf(text: string): string | null {
  const found = /authorization['"]?\s*=\s*(?=['"])/i.exec(text);
  return found === null ? null : keyIn(powerShellString(text, found.index + found[0].length).text);
}
