import { parseSync } from 'vite';
import { isNode, lineAt, textOf, visit } from '../../run/house/walk.ts';

/** Words that a user may read, and where they are. */
export interface Words {
  line: number;
  text: string;
}

/** Nodes whose strings a user does not read. */
const codeOnly: ReadonlySet<unknown> = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSLiteralType',
  'TSTemplateLiteralType',
]);

/**
 * Every string of a source that contains a space: literals, templates with `…` for inserted values, text of elements.
 */
export function wordsIn(path: string, source: string): Words[] {
  const found: { start: number; text: string }[] = [];
  visit(parseSync(path, source).program, (node) => {
    if (codeOnly.has(node['type'])) return false;
    const text = textOf(node)?.replaceAll(/\s+/g, ' ').trim();
    if (text?.includes(' ') === true) found.push({ start: Number(node['start']), text });
    return true;
  });
  return found.map(({ start, text }) => ({ line: lineAt(source, start), text }));
}

/** The functions whose first argument is the title of tests: also as `test.describe(…)` and `it.each(…)(…)`. */
const titled: ReadonlySet<unknown> = new Set(['test', 'it', 'describe']);

/** Every title of a test or of a group of tests, with `…` for inserted values. */
export function titlesIn(path: string, source: string): Words[] {
  const found: { start: number; text: string }[] = [];
  visit(parseSync(path, source).program, (node) => {
    if (node['type'] === 'CallExpression' && Array.isArray(node['arguments']) && titled.has(rootOf(node['callee']))) {
      const title: unknown = node['arguments'][0];
      const text = isNode(title) ? textOf(title) : undefined;
      if (text !== undefined) found.push({ start: Number(node['start']), text });
    }
    return true;
  });
  return found.map(({ start, text }) => ({ line: lineAt(source, start), text }));
}

/** The name at the beginning of a called expression: `test` of `test.describe` and of `test.each(…)`. */
function rootOf(callee: unknown): unknown {
  let at = callee;
  while (isNode(at)) {
    if (at['type'] === 'Identifier') return at['name'];
    at = at['type'] === 'CallExpression' ? at['callee'] : at['object'];
  }
  return undefined;
}

/** Every comment of a source, joined over its lines, without comment signs. */
export function commentsIn(path: string, source: string): Words[] {
  return parseSync(path, source).comments.map(({ start, value }) => ({
    line: source.slice(0, start).split('\n').length,
    text: value
      .replaceAll(/\n\s*\*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/^\*/, '')
      .trim(),
  }));
}
