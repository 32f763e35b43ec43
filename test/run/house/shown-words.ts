import { parseSync } from 'vite';
import { isNode, lineAt, textOf, visit, type Node } from './walk.ts';

/** A text of a component that a user may read, and its line. */
export interface ShownWords {
  line: number;
  text: string;
}

/** Nodes that contain no text for users: sources of imports, types, errors for developers, compared values. */
const codeOnly: ReadonlySet<unknown> = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportAllDeclaration',
  'ThrowStatement',
  'TSLiteralType',
  'TSTemplateLiteralType',
  'TaggedTemplateExpression',
]);

/** Methods whose arguments are code: selectors, names of keys, parts of addresses. */
const codeMethod = /^(?:closest|endsWith|getAttribute|includes|matches|querySelector(?:All)?|startsWith)$/;

/** Attributes of elements whose value is not read by a user. */
const codeAttribute =
  /^(?:class(?:Name)?|aria-keyshortcuts|id|key|type|role|style|variant|size|d|viewBox|points|transform|rel|target|inputMode|autoComplete|data-.*|\w*Class(?:Name)?)$/;

/** Keys of the keyboard, as events name them. */
const keyName =
  /^(?:Alt|Backspace|Control|Ctrl|Del|Delete|End|Enter|Esc|Escape|Home|Insert|Meta|Mod|Shift|Space|Tab|(?:Arrow|Page)\w+)(?:[-+]\S+)?$/;

/** What SQL looks like: texts for users have no such word in capitals. */
const sqlText =
  /\b(?:ALTER|AND|ATTACH|BEGIN|BY|COLLATE|CREATE|DELETE|DETACH|FROM|JOIN|IN|INDEXED|INSERT|INTO|IS|LIMIT|NOT|NULL|OR|ORDER|PRAGMA|RELEASE|SAVEPOINT|SELECT|VALUES|WHERE)\b|^SQLite format/;

/** Names that are the same in every language: the product's, schemes of HTTP, the first line of a traceback of Python. */
const nameText = /^(?:Jobdeck|Basic|Digest|Negotiate|Bearer(?: …)?|Traceback \(most recent call last\):)$/;

/** A directive of a Content-Security-Policy. */
const policyText = /^(?:[a-z]+-src|trusted-types) /;

/** Four words in a row, beside which `;` or `(` are no signs of code: "Not saved; try it again." */
const sentence = /^(?!.*(?:[{}<>|]|--)).*(?:\p{L}{2,}[,;:.]? ){3}\p{L}/u;

/** What CSS, selectors, SVG and file names look like. */
const codeText = /[{}[\]<>=;#|]|--|\d(?:px|fr|ms|em|%)|\bvar\(|\w\(|^[MLHVCZ]\d|[a-z][A-Z]|^\.|\b[a-z]+\/[a-z]/;

/**
 * The texts of a source of the windows or of main that a user may read: text between tags, sentences and names in strings and
 * templates (`…` for what is inserted). They belong into `messages/` (docs/words.md). Errs on the side of code: a single
 * word in lower case is not found. Pure.
 */
export function shownWordsIn(path: string, source: string): ShownWords[] {
  const found: { start: number; text: string }[] = [];
  visit(parseSync(path, source).program, (node) => {
    if (codeOnly.has(node['type']) || isCodeAttribute(node)) return false;
    if (isCodeCall(node) || isLogCall(node) || isLogLine(node) || isErrorText(node) || isReply(node)) return false;
    const text = textOf(node)?.replaceAll(/\s+/g, ' ').trim();
    if (text !== undefined && isShown(text, node['type'] === 'JSXText'))
      found.push({ start: Number(node['start']), text });
    if (node['type'] === 'BinaryExpression' && String(node['operator']).includes('==')) return false;
    return (part) => !isName(node, part);
  });
  return found.map(({ start, text }) => ({ line: lineAt(source, start), text }));
}

function isShown(text: string, isBetweenTags: boolean): boolean {
  if (!/\p{L}{2}/u.test(text)) return false;
  if (isBetweenTags) return true;
  if (sqlText.test(text) || nameText.test(text) || keyName.test(text) || policyText.test(text)) return false;
  if (sentence.test(text)) return true;
  if (codeText.test(text)) return false;
  return /^[A-Z][a-z]+\b/.test(text) || /\p{L}{2}[,.:…]? \p{L}|[…,] \p{L}{2}|\p{L}{2} […]/u.test(text);
}

function isCodeAttribute({ type, name }: Node): boolean {
  return type === 'JSXAttribute' && isNode(name) && codeAttribute.test(String(name['name']));
}

function isCodeCall({ type, callee }: Node): boolean {
  return (
    type === 'CallExpression' &&
    isNode(callee) &&
    isNode(callee['property']) &&
    codeMethod.test(String(callee['property']['name']))
  );
}

/** A line of the log: `log.warn(…)`, `this.#log.area('history').error(…)`. */
function isLogCall({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || !/^(?:debug|info|warn|error)$/.test(nameOf(callee['property'])))
    return false;
  const target = callee['object'];
  return isNode(target) && /^log$/i.test(nameOf(target['property'] ?? target));
}

/** A line that is logged elsewhere: `{ log: '…' }`. */
function isLogLine({ type, key }: Node): boolean {
  return type === 'Property' && nameOf(key) === 'log';
}

/** The text of an error for developers that is not thrown here: `reject(new Error('…'))`, `super('…')` in its class. */
function isErrorText({ type, callee }: Node): boolean {
  if (type === 'NewExpression') return nameOf(callee).endsWith('Error');
  return type === 'CallExpression' && isNode(callee) && callee['type'] === 'Super';
}

/** An HTTP reply to a request of a page: `new Response('Not found')`. */
function isReply({ type, callee }: Node): boolean {
  return type === 'NewExpression' && nameOf(callee) === 'Response';
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name']) : '';
}

/** The name of a property, or the value of a `case`. */
function isName(node: Node, part: string): boolean {
  return (
    (part === 'key' && (node['type'] === 'Property' || node['type'] === 'TSPropertySignature')) ||
    (part === 'test' && node['type'] === 'SwitchCase')
  );
}
