import { memberSpans } from '../../src-preload/json-spans.ts';

/**
 * The text of a member of a JSON object, as it was sent: nothing is parsed and written again, so an input that is
 * nested too deep to write, or has numbers too long for a double, stays the same. Of duplicate names the last one
 * counts, as for JSON.parse. `json` is valid JSON of an object. Null: there is no such member.
 */
export function memberText(json: string, name: string): string | null {
  const found = memberSpans(json).findLast((member) => member.name === name);
  return found === undefined ? null : json.slice(found.valueStart, found.end);
}

/** The JSON object without this member, even if it occurs several times. All others stay as they were sent. */
export function withoutMember(json: string, name: string): string {
  const members = memberSpans(json);
  if (!members.some((member) => member.name === name)) return json;
  const others = members.filter((member) => member.name !== name);
  return `{${others.map(({ start, end }) => json.slice(start, end)).join(',')}}`;
}
