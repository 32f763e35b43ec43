/** The ids in what was pasted: lines, lists, JSON, log lines with an id in them. Each once, in their order. Pure. */
export function jobIdsIn(text: string): string[] {
  const words = text.split(/[^\w.-]+/u).map((word) => word.replace(/^[.-]+|[.-]+$/gu, ''));
  const likely = words.filter((word) => looksLikeId.test(word));
  // Whoever pastes bare words means them, whatever they look like.
  const isBare = likely.length === 0 && /^[\w.\s,;-]*$/u.test(text);
  return [...new Set(isBare ? words.filter((word) => word !== '') : likely)];
}

/** The field's form: a UUID, `sync-` before it for runsync, `-u1` or `-e2` behind it (field notes). */
const looksLikeId = /^(?:sync-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-[a-z]\d{1,3})?$/i;
