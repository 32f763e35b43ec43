import { mathSpans } from './escape-math.ts';
import type { Block } from './markdown-blocks.ts';

/**
 * A link or an image. Its label ends at the next bracket and its address before the next `](`, so that no stretch is
 * read twice: a block of megabytes of open brackets would take minutes.
 */
const link = /(?<!\\)!?\[((?:[^[\]\\\n]|\\.)*)\]\((?:[^)\s\]]|\](?!\())*(?:\s+"[^"]*")?\)/g;
const codeBlock = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Approximately the visible text of a block of markdown: without the marks of emphasis, headings, lists, tables and
 * links. The search uses it, because parsing megabytes would take minutes.
 */
export function readableText({ text, opens }: Pick<Block, 'text' | 'opens'>): string {
  if (codeBlock.test(opens) || codeBlock.test(text)) return text.replaceAll(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, '');
  let readable = '';
  let at = 0;
  for (const { start, end } of mathSpans(text)) {
    readable += withoutMarks(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return readable + withoutMarks(text.slice(at));
}

function withoutMarks(prose: string): string {
  if (!/[\\`*_~#>|[\]+-]|\d[.)]/.test(prose)) return prose;
  return prose
    .replaceAll(/^[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)]|>)[ \t]+)+/gm, '')
    .replaceAll(/^(?=[ |:-]*---)[ |:-]+$/gm, '')
    .replaceAll(link, '$1')
    .replaceAll(/`+|~~|\*+(?=\S)|(?<=\S)\*+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
