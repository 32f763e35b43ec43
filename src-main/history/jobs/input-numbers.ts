/** Inputs above this are not read for their numbers: they are mostly pictures. */
export const mostNumberedBytes = 65_536;
const mostNumbers = 16;
const deepest = 3;

/**
 * The finite numbers of a job's input by their path (`steps`, `sampling.max_tokens`), those nearest to the top first
 * and sixteen at most: what a run time may hang on. Lists are left out. `inputText` is JSON; text that is not has none.
 */
export function numbersOf(inputText: string): Record<string, number> {
  const found: Record<string, number> = {};
  let count = 0;
  let level: { path: string; value: unknown }[] = [{ path: '', value: parsed(inputText) }];
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, value } of level) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      for (const [name, inner] of Object.entries(value)) {
        const innerPath = path === '' ? name : `${path}.${name}`;
        if (typeof inner === 'number') {
          if (!Number.isFinite(inner) || count >= mostNumbers) continue;
          found[innerPath] = inner;
          count += 1;
        } else {
          next.push({ path: innerPath, value: inner });
        }
      }
    }
    level = next;
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
