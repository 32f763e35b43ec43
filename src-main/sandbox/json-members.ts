/**
 * The text of a member of a JSON object, as it was sent: nothing is parsed and written again, so an input nested too
 * deep to write, or with numbers too long to keep, goes out as it came. If a name is there twice, the last one counts,
 * as for JSON.parse. `json` is valid JSON of an object; null: there is no such member.
 */
export function memberText(json: string, name: string): string | null {
  const found = membersOf(json).findLast((member) => member.name === name);
  return found === undefined ? null : json.slice(found.valueAt, found.endAt);
}

/** The JSON object without this member, however often it has it; all others stay as they were sent. */
export function withoutMember(json: string, name: string): string {
  const members = membersOf(json);
  if (!members.some((member) => member.name === name)) return json;
  const others = members.filter((member) => member.name !== name);
  return `{${others.map(({ startAt, endAt }) => json.slice(startAt, endAt)).join(',')}}`;
}

interface Member {
  name: string;
  startAt: number;
  valueAt: number;
  endAt: number;
}

/** The members of a JSON object, in order. */
function membersOf(json: string): Member[] {
  const members: Member[] = [];
  let at = afterSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const keyEnd = stringEnd(json, at);
    const valueAt = afterSpace(json, afterSpace(json, keyEnd) + 1);
    const endAt = valueEnd(json, valueAt);
    members.push({ name: String(JSON.parse(json.slice(at, keyEnd))), startAt: at, valueAt, endAt });
    at = afterSpace(json, endAt);
    if (json[at] === ',') at = afterSpace(json, at + 1);
  }
  return members;
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
