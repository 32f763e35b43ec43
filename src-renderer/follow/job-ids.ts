import { isJobId } from '../../src-preload/job-bounds.ts';

/**
 * The job ids in a pasted text: lines, lists, JSON, addresses or log lines. Each once, in order. If every line is one
 * word, or words separated by commas, all words count as ids, whatever their form. In running text only an id in the
 * address of an operation, or of the field's form, counts. Pure.
 */
export function jobIdsIn(text: string): string[] {
  const ids = inJson(text) ?? inList(text) ?? inRunningText(text);
  return [...new Set(ids)].filter(isJobId);
}

/**
 * The usual form: a UUID, for runsync with `sync-` before it, and with `-u1` or `-e2` after it (field notes: Status and
 * result).
 */
const fieldForm = /(?:sync-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-[a-z]\d{1,3})?/i;
const isFieldForm = new RegExp(`^${fieldForm.source}$`, 'i');
/** The id in the address of an operation on a job (spec: Queue operations). */
const inAddress = /\/(?:status|stream|cancel|retry)\/([^\s/?#"'`<>,;\\]+)/;
/** A word that may be an id in a list. It does not end with the punctuation of a sentence. */
const bareWord = /^[\w.:=+/~@%-]*[\w=+/~-]$/;
const idNames: ReadonlySet<string> = new Set(['id', 'jobId', 'job_id']);

/**
 * The one job that a short text names: an id in the field's form, or the address of an operation on a job,
 * also within a cURL command; null for words. Pure.
 */
export function namedJobId(text: string): string | null {
  const trimmed = text.trim();
  if (!isFieldForm.test(trimmed) && !inAddress.test(trimmed)) return null;
  const ids = jobIdsIn(trimmed);
  return ids.length === 1 ? (ids[0] ?? null) : null;
}

/** Null if it is not JSON, or has no id in it. */
function inJson(text: string): string[] | null {
  if (!/^\s*[[{"]/.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const found: string[] = [];
  const open: { value: unknown; isId: boolean }[] = [{ value, isId: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: here, isId } = next;
    if (typeof here === 'string') {
      if (isId) found.push(here);
    } else if (Array.isArray(here)) {
      for (const item of here.toReversed()) open.push({ value: item, isId });
    } else if (typeof here === 'object' && here !== null) {
      for (const [name, inner] of Object.entries(here).toReversed())
        open.push({ value: inner, isId: idNames.has(name) });
    }
  }
  return found.length === 0 ? null : found;
}

/** Null if a line is not a list of words. */
function inList(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const words = lines.flatMap((line) => line.split(/[,;]/)).map((word) => word.trim());
  if (words.some((word) => /\s/.test(word))) return null;
  return words.map(idOfWord).filter((id) => id !== '');
}

function idOfWord(word: string): string {
  const bare = word.replace(/^["'`([{<]+|["'`)\]}>]+$/g, '');
  const address = /^https?:\/\//i.test(bare) ? inAddress.exec(bare)?.[1] : undefined;
  if (address !== undefined) return decoded(address);
  // `id=...` and `job: ...` name what they are.
  return bare.replace(/^(?:id|job|job_?id)[:=](?=.)/i, '');
}

function inRunningText(text: string): string[] {
  const found = [...text.matchAll(new RegExp(`${inAddress.source}|([\\w.-]+)`, 'g'))].flatMap(
    ([, address, word = '']) => {
      if (address !== undefined) return [decoded(address)];
      const id = word.replace(/^[.-]+|[.-]+$/g, '');
      return isFieldForm.test(id) ? [id] : [];
    },
  );
  if (found.length > 0) return found;
  // Bare words were pasted on purpose.
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  return words.every((word) => bareWord.test(word)) ? words : [];
}

/** Addresses write ids with `%`. A segment that is not valid in this way is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
