import type { SourceFile } from './source-file.ts';

type Imports = ReadonlyMap<string, readonly string[]>;

/** For each file, its imports among these files. */
export function importsOf(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): Imports {
  const known = new Set(files.map(({ path }) => path));
  return new Map(files.map(({ path, imports }) => [path, imports.filter((to) => known.has(to))]));
}

/** Files that import each other, directly or through others. Each cycle appears once, its files sorted by name. */
export function circles(imports: Imports): string[][] {
  const found: string[][] = [];
  const reached = new Map([...imports.keys()].map((path) => [path, reachableFrom(path, imports)]));
  const seen = new Set<string>();
  for (const [path, others] of reached) {
    if (seen.has(path) || !others.has(path)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(path) === true).toSorted();
    for (const member of circle) seen.add(member);
    found.push(circle);
  }
  return found;
}

function reachableFrom(path: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(path) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return reached;
}

/** Two folders side by side that import from each other, as "one <> other", with the imports of the rarer direction. */
export interface MutualPair {
  folders: [string, string];
  imports: string[];
}

/** All such pairs. Folders are side by side at the point where the paths of importer and imported file part. */
export function mutualPairs(imports: Imports): MutualPair[] {
  const edges = new Map<string, { from: string; to: string; imports: string[] }>();
  for (const [importer, targets] of imports) {
    for (const imported of targets) {
      const parted = foldersApart(importer, imported);
      if (parted === null) continue;
      const [from, to] = parted;
      const edge = edges.get(`${from} ${to}`) ?? { from, to, imports: [] };
      edge.imports.push(`${importer} -> ${imported}`);
      edges.set(`${from} ${to}`, edge);
    }
  }
  return [...edges.values()].flatMap(({ from, to, imports: there }) => {
    const back = edges.get(`${to} ${from}`)?.imports;
    if (back === undefined || from > to) return [];
    return [{ folders: [from, to], imports: there.length <= back.length ? there : back }];
  });
}

/** The folders at which two paths part. Null if one file lies above the other's folder, or both lie in one folder. */
function foldersApart(one: string, other: string): [string, string] | null {
  const from = one.split('/');
  const to = other.split('/');
  const at = from.findIndex((part, index) => part !== to[index]);
  if (at >= from.length - 1 || at >= to.length - 1) return null;
  return [from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')];
}
