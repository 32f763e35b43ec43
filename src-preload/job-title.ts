import { parseJson, isJsonObject } from './json-spans.ts';
import { emptyInputTitle } from './messages/job.ts';

/** Longest title made from an input, in characters. */
const longest = 120;

/** Fields that usually say what a job is about, best first. */
const delivery = [
  'title',
  'name',
  'prompt',
  'text',
  'query',
  'question',
  'instruction',
  'message',
  'url',
  'image_url',
  'audio_url',
  'video_url',
  'file',
  'path',
];

/**
 * A line of at most 120 characters that identifies a job in the list: from its input by the rule of its endpoint, or
 * else the most informative field, or else the endpoint with the first keys of the input.
 */
export function titleFromInput(inputText: string, endpointId: string, rule = ''): string {
  const input = objectIn(inputText);
  const title = titleByRule(rule, input) ?? titleByField(input);
  if (title !== null) return title;
  const keys = Object.keys(input);
  if (keys.length === 0) return cut(emptyInputTitle(endpointId));
  return cut(`${endpointId}: ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`);
}

/** The title of an input by its most informative field. Null if no field says what the job is about. */
export function usualTitle(inputText: string): string | null {
  return titleByField(objectIn(inputText));
}

function objectIn(inputText: string): Record<string, unknown> {
  const parsed = parseJson(inputText);
  return isJsonObject(parsed) ? parsed : {};
}

function titleByField(input: Record<string, unknown>): string | null {
  return tellingText(input) ?? chatText(input) ?? nestedText(input);
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;

/**
 * A rule with its fields filled in: `{{prompt}}`, `{{workflow.steps}}`, `{{images.0}}`. Null if the rule is empty, or
 * the input has none of the fields.
 */
function titleByRule(rule: string, input: Record<string, unknown>): string | null {
  let named = 0;
  let found = 0;
  const title = rule.replaceAll(placeholder, (_whole, path: string) => {
    const text = textAt(input, path.split('.'));
    named += 1;
    if (text !== '') found += 1;
    return text;
  });
  return named > 0 && found === 0 ? null : lineOf(title);
}

/** The text of a field. Empty if there is none, or if it is an array or object. */
function textAt(value: unknown, path: readonly string[]): string {
  const [name, ...rest] = path;
  if (name !== undefined) {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isOwn ? textAt(Reflect.get(value, name), rest) : '';
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return lineOf(value) ?? '';
}

function tellingText(input: Record<string, unknown>): string | null {
  const lowered = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of delivery) {
    const line = lineOf(lowered.get(name));
    if (line !== null) return line;
  }
  return null;
}

/** The last message of the user, in an input with the form of a chat. */
function chatText(input: Record<string, unknown>): string | null {
  const messages = input['messages'];
  if (!Array.isArray(messages)) return null;
  for (const message of messages.toReversed()) {
    if (!isJsonObject(message) || message['role'] === 'system' || message['role'] === 'assistant') continue;
    const line = lineOf(message['content']);
    if (line !== null) return line;
  }
  return null;
}

/** Searches one level down, for inputs that wrap everything in one object. */
function nestedText(input: Record<string, unknown>): string | null {
  for (const value of Object.values(input)) {
    if (!isJsonObject(value)) continue;
    const line = tellingText(value);
    if (line !== null) return line;
  }
  return null;
}

function lineOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : lineOf(value[0]);
  if (typeof value !== 'string') return null;
  // An embedded file says nothing and would fill the row.
  if (value.startsWith('data:')) return null;
  const line = oneLine(value);
  return line === '' ? null : line;
}

/** A text as one line without control characters, cut to `maxChars` at a whole character. */
export function oneLine(text: string, maxChars: number = longest): string {
  // Only the beginning matters, and inputs can have megabytes.
  const flat = text
    .slice(0, maxChars * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return cut(flat, maxChars);
}

function cut(text: string, maxChars: number = longest): string {
  const characters = [...text];
  return characters.length <= maxChars
    ? text
    : `${characters
        .slice(0, maxChars - 1)
        .join('')
        .trimEnd()}…`;
}
