import { unreadText } from '../../messages/composer/paste.ts';
import { emptyRequest, keyIn, keyOfHeaders, withAddress, type FoundRequest } from './found-request.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { shellOf, shellWords, type ShellKind } from './shell-words.ts';

/** Options of curl that take a value, by their subject. Options that are not listed take none. */
const bodyOptions = new Set([
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--json',
  '--data-urlencode',
]);
const otherOptions = new Set(
  (
    '-o --output -A --user-agent -e --referer -m --max-time --connect-timeout --retry --retry-delay -b --cookie -c ' +
    '--cookie-jar -x --proxy -F --form -T --upload-file -w --write-out -E --cert --key --cacert -K --config ' +
    '--resolve --limit-rate --retry-max-time --interface --max-redirs -C --ciphers --proxy-user --oauth2-bearer ' +
    '-D --dump-header --noproxy -r --range --tls-max --proto --dns-servers --max-filesize --trace --trace-ascii ' +
    '--unix-socket --connect-to --form-string'
  ).split(' '),
);

const commandStart = /(?:^|\n|[;&|]|\$\s|>\s)\s*(?:[A-Z_][A-Z\d_]*=\S*\s+)*(curl(?:\.exe)?)\s/i;
/** What may stand before the command, in characters. The search takes the square of it: minutes for a whole text. */
const maxBeforeChars = 2_000;

/** Reads a curl command in the syntax of bash, cmd or PowerShell. Null for any other text. Pure. */
export function readCurl(text: string): FoundRequest | null {
  const start = commandStart.exec(text.slice(0, maxBeforeChars));
  if (start === null) return null;
  const command = text.slice(start.index + start[0].lastIndexOf(start[1] ?? ''));
  const shell = shellOf(command);
  const { words, stdin } = shellWords(command, shell);
  return readOptions(words.slice(1), stdin, shell);
}

function readOptions(words: readonly string[], stdin: string | null, shell: ShellKind): FoundRequest {
  let request = emptyRequest('curl');
  const headers: [string, string][] = [];
  const bodies: string[] = [];
  const unread: string[] = [];
  let key: string | null = null;
  let address: string | null = null;
  const rest = words.flatMap(parted);
  for (let at = 0; at < rest.length; at += 1) {
    const option = rest[at] ?? '';
    if (!option.startsWith('-') || option === '-') {
      address ??= option;
      continue;
    }
    const takesValue =
      bodyOptions.has(option) || otherOptions.has(option) || /^(?:-[XHu]|--(?:request|header|user|url))$/.test(option);
    if (!takesValue) continue;
    at += 1;
    const value = rest[at] ?? '';
    if (bodyOptions.has(option)) {
      const from = /^@(.+)$/s.exec(option === '--data-raw' ? '' : value)?.[1];
      if (from === undefined) bodies.push(value);
      else if (from === '-' && stdin !== null) bodies.push(stdin);
      else unread.push(unreadText.bodyInFile(from));
    } else if (option === '-X' || option === '--request') request = { ...request, method: value.toUpperCase() };
    else if (option === '-H' || option === '--header') headers.push(headerOf(value));
    else if (option === '--url') address = value;
    else if (option === '-u' || option === '--user' || option === '--oauth2-bearer') key ??= keyIn(value);
    else if (option === '-F' || option === '--form') unread.push(unreadText.formFields);
  }
  request = { ...request, key: keyOfHeaders(headers) ?? key, unread };
  if (address !== null) request = withAddress(request, address);
  return bodies.length === 0 ? request : { ...request, body: bodyFor(bodies.join('&'), shell) };
}

/** Splits `-XPOST`, `-sSd{...}` and `--data={...}` into option and value. */
function parted(word: string): string[] {
  const long = /^(--[a-z-]+)=([^]*)$/.exec(word);
  if (long !== null) return [long[1] ?? '', long[2] ?? ''];
  const short = /^-([a-zA-Z]*?)([XHdu])([^]*)$/.exec(word);
  if (short === null || word.startsWith('--')) return [word];
  const [, flags = '', option = '', value = ''] = short;
  return [...(flags === '' ? [] : [`-${flags}`]), `-${option}`, ...(value === '' ? [] : [value])];
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** PowerShell passes quotes to a program with backslashes before them. */
function bodyFor(text: string, shell: ShellKind): string {
  if (shell !== 'powershell' || parseJson(text) !== undefined) return text;
  const plain = text.replaceAll('\\"', '"');
  return parseJson(plain) === undefined ? text : plain;
}
