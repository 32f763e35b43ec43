/** A node of a parsed source. */
export type Node = Record<string, unknown>;

/**
 * Calls `onNode` for each node of a parsed source, from the outside in and in its order. It returns whether the parts
 * of the node are visited too, or which of them.
 */
export function visit(tree: unknown, onNode: (node: Node) => boolean | ((part: string) => boolean)): void {
  if (Array.isArray(tree)) {
    for (const each of tree) visit(each, onNode);
    return;
  }
  if (!isNode(tree)) return;
  const isEntered = onNode(tree);
  if (isEntered === false) return;
  for (const [part, each] of Object.entries(tree)) if (isEntered === true || isEntered(part)) visit(each, onNode);
}

/** The text of a literal, of a template (with `…` for inserted values) or between tags. Undefined: it is none of them. */
export function textOf({ type, value, quasis }: Node): string | undefined {
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral' || !Array.isArray(quasis)) return undefined;
  return quasis
    .map((part: unknown) => (isNode(part) && isNode(part['value']) ? String(part['value']['cooked']) : ''))
    .join('…');
}

/** The line of a place in a source, from 1. */
export function lineAt(source: string, place: number): number {
  return source.slice(0, place).split('\n').length;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
