/** A toast as Windows reads it from its XML. */
export interface Toast {
  /** What a click on it passes on. Empty without such an attribute. */
  launch: string;
  texts: string[];
  isSilent: boolean;
  /** Its buttons, and what each passes on. */
  actions: { label: string; arguments: string }[];
}

const token = /<\/([a-z]+)>|<([a-z]+)((?:\s+[A-Za-z-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const bareAmpersand = /&(?!(?:amp|lt|gt|quot|apos);)/;
const noCharacterOfXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Reads the XML of a toast. Null if it is not well formed: then Windows shows nothing. */
export function readToast(xml: string): Toast | null {
  if (bareAmpersand.test(xml) || noCharacterOfXml.test(xml)) return null;
  const toast: Toast = { launch: '', texts: [], isSilent: false, actions: [] };
  const open: string[] = [];
  let at = 0;
  while (at < xml.length) {
    token.lastIndex = at;
    const found = token.exec(xml);
    if (found === null) return null;
    at = token.lastIndex;
    const [, closed, opened, attributes = '', slash, text] = found;
    if (closed !== undefined && open.pop() !== closed) return null;
    if (text !== undefined && open.length === 0) return null;
    if (text !== undefined && open.at(-1) === 'text') toast.texts.push(unescaped(text));
    if (opened === undefined) continue;
    if (open.length === 0 && (at !== found[0].length || opened !== 'toast')) return null;
    takeElement(toast, opened, attributes);
    if (slash === '') open.push(opened);
  }
  return open.length === 0 && xml !== '' ? toast : null;
}

function takeElement(toast: Toast, name: string, attributes: string): void {
  const get = (wanted: string): string => unescaped(new RegExp(`\\s${wanted}="([^"]*)"`).exec(attributes)?.[1] ?? '');
  if (name === 'toast') toast.launch = get('launch');
  if (name === 'audio') toast.isSilent = get('silent') === 'true';
  if (name === 'action') toast.actions.push({ label: get('content'), arguments: get('arguments') });
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** The toast that Electron makes of a notification without XML of its own: a click on it passes nothing on. */
export function electronToast(id: string, labels: string[]): Toast {
  return {
    launch: '',
    texts: [],
    isSilent: false,
    actions: labels.map((label, index) => ({ label, arguments: `type=action&action=${index}&tag=${id}` })),
  };
}
