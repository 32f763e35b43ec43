/** What a walk meets. `C` is what the visitor knows of a place, handed down from each value to those inside it. */
export interface JsonVisitor<C> {
  /** A member of an object, before its value. Answers what is known at that place. */
  member(name: string, context: C): C;
  /** A text, number, truth or null. An answer is walked in its place: JSON that stands in a text. */
  leaf(value: unknown, context: C): { value: unknown; context: C } | null;
  /** True when nothing more is wanted. */
  isDone(): boolean;
}

/** One array or object on the way down, and how far it was walked. */
interface Level<C> {
  values: readonly unknown[];
  /** Null for an array. */
  names: readonly string[] | null;
  at: number;
  context: C;
}

/**
 * Walks a value made of JSON in the order of its text, however deep it nests: a service may send a hundred thousand
 * levels (ruling 43).
 */
export function walkJson<C>(root: unknown, context: C, visitor: JsonVisitor<C>): void {
  const levels: Level<C>[] = [{ values: [root], names: null, at: 0, context }];
  while (!visitor.isDone()) {
    const level = levels.at(-1);
    if (level === undefined) return;
    if (level.at === level.values.length) {
      levels.pop();
      continue;
    }
    const name = level.names?.[level.at];
    let value = level.values[level.at];
    let inner = name === undefined ? level.context : visitor.member(name, level.context);
    level.at += 1;
    while (typeof value !== 'object' || value === null) {
      const replaced = visitor.leaf(value, inner);
      if (replaced === null) break;
      value = replaced.value;
      inner = replaced.context;
    }
    if (Array.isArray(value)) levels.push({ values: value, names: null, at: 0, context: inner });
    else if (typeof value === 'object' && value !== null) {
      levels.push({ values: Object.values(value), names: Object.keys(value), at: 0, context: inner });
    }
  }
}
