import type { Dialect } from '../dialect.ts';
import { renderJob, type JobRecord } from './job-record.ts';

/** Ruling 25: the job record plus `input` and `webhook`. */
export function webhookBody(record: JobRecord, url: string, dialect: Dialect, nowMs: number): string {
  const input = memberText(record.submission.text, 'input') ?? '{}';
  return `${renderJob(record, dialect, nowMs).slice(0, -1)},"input":${input},"webhook":${JSON.stringify(url)}}`;
}

/**
 * The text of a member of a JSON object, as it was sent: nothing is parsed and written anew, so an input nested too
 * deep to write, or with numbers too long to keep, goes out as it came. Of doubled names the last one counts, as for
 * JSON.parse. `json` is valid JSON of an object; null: there is no such member.
 */
export function memberText(json: string, name: string): string | null {
  let found: string | null = null;
  let at = afterSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const keyEnd = stringEnd(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const valueAt = afterSpace(json, afterSpace(json, keyEnd) + 1);
    const valueEndAt = valueEnd(json, valueAt);
    if (key === name) found = json.slice(valueAt, valueEndAt);
    at = afterSpace(json, valueEndAt);
    if (json[at] === ',') at = afterSpace(json, at + 1);
  }
  return found;
}

function afterSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1;
  return at;
}

/** Behind the closing quote of the string that begins at `from`. */
function stringEnd(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Behind the value that begins at `from`. */
function valueEnd(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const letter = json[at];
    if (letter === '"') {
      at = stringEnd(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (
      depth === 0 &&
      (letter === ',' || letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t')
    )
      return at;
    at += 1;
  }
  return at;
}
