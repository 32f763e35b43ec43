import type { MarkdownSections } from './markdown-sections.ts';
import { laidOutPattern, maxMatches, type TextSearch } from './text-search.ts';
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

/**
 * Searches for `wanted` in the visible text of markdown, section by section. The place of a match is that of its
 * section plus the number of matches before it there, so that places ascend and `sectionAt` finds the section.
 */
export function createSectionSearch(sections: MarkdownSections, wanted: string): TextSearch {
  const matches: number[] = [];
  const pattern = laidOutPattern(wanted);
  let next = 0;
  let searchedChars = 0;
  return {
    wantedChars: wanted.length,
    matches,
    get isDone() {
      return wanted.trim() === '' || searchedChars === sections.length || matches.length >= maxMatches;
    },
    step() {
      const start = sections.startOf(next);
      // The last section was searched before it was full.
      while ((matches.at(-1) ?? -1) >= start) matches.pop();
      let count = 0;
      for (const block of sections.blocksOf(next))
        for (const _match of readableText(block).matchAll(pattern)) {
          matches.push(start + count);
          count += 1;
        }
      searchedChars = sections.startOf(next + 1);
      if (next < sections.count - 1) next += 1;
    },
  };
}

/** The index of a match within its section, from 0. */
export function numberInSection(sections: MarkdownSections, place: number): { section: number; number: number } {
  const section = sections.sectionAt(place);
  return { section, number: place - sections.startOf(section) };
}
