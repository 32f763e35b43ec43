import { Braces, Copy, ExternalLink, KeyRound, Route } from 'lucide-react';
import { createElement } from 'react';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import type { MenuEntry } from '../design/menu/menu.tsx';
import { formatBytes } from '../../src-preload/format.ts';
import { toast } from '../design/toast.tsx';
import { jsonCopyText } from '../messages/json/view.ts';
import { decodeString } from '../../src-preload/json-spans.ts';
import { addressOf } from './json-address.ts';
import { keyToken, kindOf, valueText, type JsonIndex } from './json-index.ts';
import { jqPathOf, jsonPathOf, stepsTo } from './json-path.ts';

/** Copies a text to the clipboard, and reports it with `copied`. */
async function copyAndReport(text: string, copied: string): Promise<void> {
  const { ok } = orReport(await call('app:copyText', { text }));
  if (ok) toast(copied, { glyph: createElement(Copy, { size: 16 }) });
}

/** A value for the clipboard: the text of a string, or the JSON of anything else. */
export function plainValue(index: JsonIndex, node: number): string {
  const text = valueText(index, node);
  return kindOf(index, node) === 'string' ? decodeString(text) : text;
}

/** Copies the JSONPath of a node. */
export function copyPath(index: JsonIndex, node: number): void {
  void copyAndReport(jsonPathOf(stepsTo(index, node)), jsonCopyText.pathCopied);
}

/** Copies a node's value; a string without its quotes. */
export function copyValue(index: JsonIndex, node: number): void {
  void copyAndReport(plainValue(index, node), jsonCopyText.valueCopied);
}

/** Copies a node as JSON. */
export function copyRow(index: JsonIndex, node: number): void {
  void copyAndReport(valueText(index, node), jsonCopyText.rowCopied);
}

/** What can be copied of a value. */
export function copyEntries(index: JsonIndex, node: number): MenuEntry[] {
  const size = formatBytes((index.end[node] ?? 0) - (index.valueStart[node] ?? 0));
  const key = keyToken(index, node);
  const glyph = { size: 14, 'aria-hidden': true } as const;
  const entries: MenuEntry[] = [
    {
      kind: 'item',
      label: kindOf(index, node) === 'string' ? jsonCopyText.copyAsText : jsonCopyText.copyValue,
      icon: <Copy {...glyph} />,
      note: size,
      onSelect: () => copyValue(index, node),
    },
    {
      kind: 'item',
      label: jsonCopyText.copyPath,
      icon: <Route {...glyph} />,
      keys: ['Ctrl', 'Shift', 'P'],
      onSelect: () => copyPath(index, node),
    },
    {
      kind: 'item',
      label: jsonCopyText.copyJqPath,
      icon: <Route {...glyph} />,
      onSelect: () => void copyAndReport(jqPathOf(stepsTo(index, node)), jsonCopyText.pathCopied),
    },
  ];
  if (kindOf(index, node) === 'string')
    entries.splice(1, 0, {
      kind: 'item',
      label: jsonCopyText.copyAsJson,
      icon: <Braces {...glyph} />,
      onSelect: () => void copyAndReport(valueText(index, node), jsonCopyText.valueCopied),
    });
  if (key !== null)
    entries.push({
      kind: 'item',
      label: jsonCopyText.copyKey,
      icon: <KeyRound {...glyph} />,
      onSelect: () => void copyAndReport(decodeString(key), jsonCopyText.keyCopied),
    });
  return entries;
}

/** Opens a value that is an address, after `onLink` has asked. */
export function linkEntries(index: JsonIndex, node: number, onLink: (url: string) => void): MenuEntry[] {
  const address = addressOf(index, node);
  if (address === null) return [];
  return [
    {
      kind: 'item',
      label: jsonCopyText.openAddress,
      icon: <ExternalLink size={14} aria-hidden />,
      keys: ['↵'],
      onSelect: () => onLink(address),
    },
  ];
}
