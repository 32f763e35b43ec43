import { decodeString } from '../../src-preload/json-spans.ts';
import { jsonViewText } from '../messages/json/view.ts';
import { askToOpen } from '../navigation/open-requests.ts';
import { kindOf, valueText, type JsonIndex } from './json-index.ts';

/** A longer text is not treated as an address. */
const maxAddressChars = 4_000;
const beginning = /^"(?:https?|s3):/i;
const address = /^(?:https?|s3):\/\/[^\s"<>\\^`{|}]+$/i;

/** The string if it is an http, https or s3 address as a whole, or null. Pure. */
export function addressOf(index: JsonIndex, node: number): string | null {
  const from = index.valueStart[node] ?? 0;
  if (kindOf(index, node) !== 'string' || (index.end[node] ?? 0) - from > maxAddressChars) return null;
  if (!beginning.test(index.text.slice(from, from + 10))) return null;
  const text = decodeString(valueText(index, node));
  return address.test(text) ? text : null;
}

/** Asks before an address in a JSON text is opened in the browser. */
export function askAboutLink(url: string): void {
  askToOpen(url, jsonViewText.linkOwner);
}
